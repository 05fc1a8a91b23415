import * as names from '#options/names.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';

/** The settings of options that are lists, with the values that they can have. */
export const listSettings: Readonly<Record<string, readonly string[]>> = Object.assign(
  {},
  ...membersOf(names, 'settings'),
);
