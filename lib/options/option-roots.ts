import * as names from '#options/names.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';
import { apiKeyRoots, historyRoots, type RootPurpose } from '#shared/contract/root-purposes.ts';

/** What a stack has roots of its own for: the core's purposes, then those of all options. */
export const rootPurposes: readonly RootPurpose[] = [apiKeyRoots, historyRoots, ...membersOf(names, 'roots')];
