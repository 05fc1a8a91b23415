import * as extensions from '#options/extensions.ts';
import * as states from '#options/states.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';
import type { OverviewCount } from '#shared/domain/application/overview-count.ts';

/** What the options add to the numbers. */
export const registeredCounts: readonly OverviewCount[] = [
  ...membersOf(states, 'overview'),
  ...membersOf(extensions, 'overview'),
];
