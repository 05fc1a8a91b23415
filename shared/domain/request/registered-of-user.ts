import * as states from '#options/states.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';
import type { KeptOfUser } from './kept-of-user.ts';

/** What the options keep in the item of a user. */
export const registeredOfUser: readonly KeptOfUser[] = membersOf(states, 'ofUser');
