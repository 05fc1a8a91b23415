import * as v from 'valibot';
import { userStatuses } from '#shared/contract/access.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { type Item, readItems } from '../client.ts';
import { conditionCheckEntry, deleteEntry, putNewEntry, updateEntry } from '../expression.ts';
import { deletingMark, optionalText, parseItem, storedId } from '../item-schema.ts';
import { userIndexKey, userKey } from '../keys.ts';

const userItemSchema = v.object({
  userId: storedId<UserId>(),
  status: v.picklist(userStatuses),
  displayName: optionalText,
  email: optionalText,
  version: v.number(),
  createdAt: v.string(),
  updatedAt: v.string(),
  deleting: deletingMark,
});

export type User = Readonly<Omit<v.InferOutput<typeof userItemSchema>, 'deleting'>>;

/** The user of an item, also while it is being erased. */
export function userItemOf(item: Item | undefined): { readonly user: User; readonly deleting: boolean } | undefined {
  if (item === undefined) return undefined;
  const { deleting, ...user } = parseItem(userItemSchema, item);
  return { user, deleting };
}

/** The user of an item; one that is being erased no longer exists. */
export function userOf(item: Item | undefined): User | undefined {
  const found = userItemOf(item);
  return found?.deleting === true ? undefined : found?.user;
}

/** Reads one user, strongly consistent, also while it is being erased. */
export async function readUserItem(userId: UserId) {
  const [item] = await readItems([userKey(userId)]);
  return userItemOf(item);
}

/** Reads the users of a list of ids, strongly consistent. */
export async function readUsers(userIds: readonly UserId[]): Promise<ReadonlyMap<string, User>> {
  const items = await readItems(userIds.map(userKey));
  const users = items.map(userOf).filter((user) => user !== undefined);
  return new Map(users.map((user) => [user.userId, user]));
}

/** The user, or 404 `user_not_found`. */
export function requireUser(user: User | undefined): User {
  if (user !== undefined) return user;
  throw new ServiceError('user_not_found', { detail: 'There is no user with this id. Create the user first.' });
}

/** Reads a user that must exist. */
export async function readExistingUser(userId: UserId): Promise<User> {
  const [item] = await readItems([userKey(userId)]);
  return requireUser(userOf(item));
}

/** Creates the user, once. */
export function createUserEntry(user: User) {
  return putNewEntry({ ...userKey(user.userId), ...userIndexKey(user.userId), ...user });
}

/** Writes the next version of a user, if it is still the version that was read. */
export function updateUserEntry(read: User, { userId, createdAt, ...set }: User) {
  const unchanged = { createdAt: read.createdAt, version: read.version };
  return updateEntry({ key: userKey(userId), set, equals: unchanged, absent: ['deleting'] });
}

/** Marks the user as being erased: it leaves every list, and its writes are refused from now on. */
export function markUserEntry({ userId, createdAt }: User) {
  return updateEntry({
    key: userKey(userId),
    set: { deleting: true },
    remove: ['gsi1pk', 'gsi1sk'],
    equals: { createdAt },
    absent: ['deleting'],
  });
}

/** Makes a transaction depend on the very user that was read: neither erased since, nor created again. */
export function requireSameUserEntry({ userId, createdAt }: User) {
  return conditionCheckEntry(userKey(userId), { equals: { createdAt }, absent: ['deleting'] });
}

/** Makes a transaction depend on the very user that is being erased, never on one created later. */
export function requireMarkedUserEntry({ userId, createdAt }: User) {
  return conditionCheckEntry(userKey(userId), { equals: { createdAt, deleting: true } });
}

/** Deletes the user's own item, after all others. */
export function deleteMarkedUserEntry({ userId, createdAt }: User) {
  return deleteEntry(userKey(userId), { equals: { createdAt, deleting: true } });
}
