import * as v from 'valibot';
import { userStatuses } from '#shared/contract/access.ts';
import type { Change } from '#shared/contract/change.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { fieldEntries, userFields } from '#shared/contract/resource-fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { type Item, readItems } from '../client.ts';
import { conditionCheckEntry, putEntry, putNewEntry, updateEntry } from '../expression.ts';
import { absentText, chainHead, deletingMark, nullableText, parseItem, storedId } from '../item-schema.ts';
import { epochSeconds, erasedUserIndexKey, userIndexKey, userKey } from '../keys.ts';

const userItemSchema = v.object({
  userId: storedId<UserId>(),
  status: v.picklist(userStatuses),
  ...fieldEntries(userFields, 'stored'),
  version: v.number(),
  createdAt: v.string(),
  updatedAt: v.string(),
  /** The id of the last Change of the user or of one of its accesses. */
  lastChangeId: v.string(),
  /** The id of the Change that set the status; `null` when none did. */
  statusChangeId: nullableText,
  chainHead,
  /** By which words the user is found, as the entries of these words hold them. */
  words: v.string(),
  deleting: deletingMark,
});

export type User = Readonly<Omit<v.InferOutput<typeof userItemSchema>, 'deleting'>>;

/** The user of an item, also while it is being erased; an erased one no longer exists. */
export function userItemOf(item: Item | undefined): { readonly user: User; readonly deleting: boolean } | undefined {
  if (item === undefined || item.erased === true) return undefined;
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

const secondsPerDay = 86_400;
/** How long the id of an erased user is remembered, with the place of its erasing in the order of changes. */
const erasedMarkDays = 30;

const erasedMarkSchema = v.object({
  erased: v.literal(true),
  userId: storedId<UserId>(),
  lastChangeId: v.string(),
  chainHead,
});

/** What is left of an erased user for a while: changes of a user of the same id come after all of this one. */
export type ErasedMark = Readonly<v.InferOutput<typeof erasedMarkSchema>>;

const erasedSchema = v.object({
  userId: storedId<UserId>(),
  lastChangeId: v.string(),
  /** Absent as long as the user is being erased. */
  erasedAt: absentText,
});

/** A user that is being erased, or was within the last 30 days. */
export function erasedUserOf(item: Item): v.InferOutput<typeof erasedSchema> {
  return parseItem(erasedSchema, item);
}

/** Creates the user with its Change, once, or again where an erased user of this id has left this mark. */
export function createUserEntry(
  user: Omit<User, 'lastChangeId' | 'chainHead'>,
  mark: ErasedMark | undefined,
  change: Change,
) {
  const item = { ...userKey(user.userId), ...userIndexKey(user.userId), ...user, ...lastOf(change) };
  if (mark === undefined) return putNewEntry(item);
  return putEntry(item, { equals: { erased: true, lastChangeId: mark.lastChangeId } });
}

/** Whether there is a user of this id, also while it is being erased; else the mark that an erased one has left. */
export async function readUserId(userId: UserId): Promise<{ taken: boolean; mark: ErasedMark | undefined }> {
  const [item] = await readItems([userKey(userId)]);
  const isMark = item?.erased === true;
  return { taken: item !== undefined && !isMark, mark: isMark ? parseItem(erasedMarkSchema, item) : undefined };
}

function lastOf({ id, integrity }: Change) {
  return { lastChangeId: id, chainHead: integrity.mac };
}

/** What every write that concerns a user requires: that it is the user that was read, and that its Change is the latest. */
function requireOrder({ createdAt }: User, changeId: string) {
  return { equals: { createdAt }, absent: ['deleting'], below: { lastChangeId: changeId } };
}

/** Writes the next version of a user with its Change, if it is still the version that was read. */
export function updateUserEntry(read: User, { userId, createdAt, ...set }: User, change: Change) {
  const { equals, ...order } = requireOrder(read, change.id);
  return updateEntry({
    key: userKey(userId),
    set: { ...set, ...lastOf(change) },
    ...order,
    // Whoever writes or deletes entries of words goes by the words that were read.
    equals: { ...equals, version: read.version, words: read.words },
  });
}

/** Writes other words of a user who is otherwise as it was read. */
export function updateWordsEntry({ userId, createdAt, version, words: before }: User, words: string) {
  return updateEntry({
    key: userKey(userId),
    set: { words },
    equals: { createdAt, version, words: before },
    absent: ['deleting'],
  });
}

/** Marks the user as being erased: it leaves the list of users, and its writes are refused from now on. */
export function markUserEntry(read: User, change: Change) {
  const { equals, ...order } = requireOrder(read, change.id);
  return updateEntry({
    key: userKey(read.userId),
    set: { deleting: true, ...lastOf(change), ...erasedUserIndexKey(read.userId) },
    ...order,
    equals: { ...equals, version: read.version },
  });
}

/** Puts a Change of what belongs to the user in the user's order: neither erased since the read, nor created again. */
export function orderChangeEntry(read: User, changeId: string) {
  return updateEntry({ key: userKey(read.userId), set: { lastChangeId: changeId }, ...requireOrder(read, changeId) });
}

/** Makes a transaction depend on the very user that is being erased, never on one created later. */
export function requireMarkedUserEntry({ userId, createdAt }: Pick<User, 'userId' | 'createdAt'>) {
  return conditionCheckEntry(userKey(userId), { equals: { createdAt, deleting: true } });
}

/** Leaves of the user's own item nothing but its mark, after all others were deleted. */
export function eraseUserEntry({ userId, createdAt }: Pick<User, 'userId' | 'createdAt'>, at: string) {
  return updateEntry({
    key: userKey(userId),
    set: { erased: true, erasedAt: at, ttl: epochSeconds(at) + erasedMarkDays * secondsPerDay },
    remove: [
      ...['deleting', 'status', 'statusChangeId', 'words', 'version', 'createdAt', 'updatedAt'],
      ...Object.keys(userFields),
    ],
    equals: { createdAt, deleting: true },
  });
}
