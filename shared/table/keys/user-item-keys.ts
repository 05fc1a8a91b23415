import type { UserId } from '#shared/contract/fields.ts';
import { type Key, type Range, withPrefix } from '../key.ts';

/** One user. */
export const userKey = (userId: UserId): Key => ({ pk: `USER#${userId}`, sk: 'USER' });

/** One user in the list of all users, of the inactive ones, and of those who are being erased or have been; by id. */
export const userEntryKey = (userId: UserId): Key => ({ pk: 'USERS', sk: userId });
export const inactiveMarkKey = (userId: UserId): Key => ({ pk: 'USERS#INACTIVE', sk: userId });
export const erasedEntryKey = (userId: UserId): Key => ({ pk: 'USERS#ERASED', sk: userId });

/** The users in the list of all, by a prefix of their ids. */
export const usersRange = (prefix: string): Range => ({ pk: 'USERS', ...withPrefix(prefix) });

/** The marks of the inactive users. */
export const inactiveUsersRange = (prefix: string): Range => ({ pk: 'USERS#INACTIVE', ...withPrefix(prefix) });

/** The users who are being erased, or have been and still have a tombstone. */
export const erasedUsersRange = (): Range => ({ pk: 'USERS#ERASED' });

/** All items of a user, including the user's own. */
export const userItemsRange = (userId: UserId): Range => ({ pk: `USER#${userId}` });
