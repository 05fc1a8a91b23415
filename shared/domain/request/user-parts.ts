import * as states from '#options/states.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';
import type { UserPart } from './user-part.ts';

/** What the options keep of each user. */
export const userParts: readonly UserPart[] = membersOf(states, 'user');
