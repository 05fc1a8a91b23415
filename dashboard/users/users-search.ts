import type { UserView } from '#shared/contract/user.ts';
import { sortBy } from '../lists/sort-items.ts';

/** The search of the users page, before and after its scripts have arrived. */
export const usersSearch = { label: 'Find users by name, e-mail or user ID', placeholder: 'Name, e-mail or user ID' };

/** After how long a pause in typing something is searched for. */
export const typingPauseMilliseconds = 250;

/** How a list of users that is loaded as a whole is sorted at first. */
export const byName = sortBy<UserView>(({ displayName, userId }) => displayName ?? userId);
