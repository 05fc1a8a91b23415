import * as v from 'valibot';
import { userStatuses } from '#shared/contract/access-statuses.ts';
import type { Change } from '#shared/contract/change.ts';
import { erasedMarkDays } from '#shared/contract/entry-digest.ts';
import { fieldEntries } from '#shared/contract/field-forms.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import { isPossible, now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { type Item, readItems, type TransactEntry } from '../client.ts';
import { conditionCheckEntry, deleteEntry, putEntry, putNewEntry, updateEntry } from '../expression.ts';
import {
  absentText,
  chainHead,
  deletingMark,
  keptEntriesOfUser,
  keptOfUser,
  nullableText,
  parseItem,
  storedId,
} from '../item-schema.ts';
import { erasedEntryKey, userEntryKey, userKey } from '../keys/user-item-keys.ts';
import { epochSeconds, secondsPerDay } from '../ttl.ts';

const userItemSchema = v.object({
  userId: storedId<UserId>(),
  status: v.picklist(userStatuses),
  ...fieldEntries(userFields, 'stored'),
  version: v.number(),
  createdAt: v.string(),
  updatedAt: v.string(),
  /** The id of the last Change of the user or of one of its accesses. */
  lastChangeId: v.string(),
  /** The id of the Change that set the status; `null` if it was never set. */
  statusChangeId: nullableText,
  chainHead,
  /** The words by which the user is found; each search entry contains the same text. */
  words: v.string(),
  ...keptEntriesOfUser,
  deleting: deletingMark,
});

export type User = Readonly<Omit<v.InferOutput<typeof userItemSchema>, 'deleting'>>;

/** The user of an item, even while being erased; undefined once erased. */
export function userItemOf(item: Item | undefined): { readonly user: User; readonly deleting: boolean } | undefined {
  if (item === undefined || item.erased === true) return undefined;
  const { deleting, ...user } = parseItem(userItemSchema, item);
  return { user, deleting };
}

/** The user of an item; undefined if the user is being erased. */
export function userOf(item: Item | undefined): User | undefined {
  const found = userItemOf(item);
  return found?.deleting === true ? undefined : found?.user;
}

/** Reads one user, even while being erased; strongly consistent. */
export async function readUserItem(userId: UserId) {
  const [item] = await readItems([userKey(userId)]);
  return userItemOf(item);
}

/** Reads users by their ids, strongly consistent. */
export async function readUsers(userIds: readonly UserId[]): Promise<ReadonlyMap<string, User>> {
  const items = await readItems(userIds.map(userKey));
  const users = items.map(userOf).filter((user) => user !== undefined);
  return new Map(users.map((user) => [user.userId, user]));
}

const listedSchema = v.object({ userId: storedId<UserId>() });

/** The users of listed items, in the same order, strongly consistent; undefined for users who no longer exist. */
export async function readListedUsers(listed: readonly Item[]): Promise<(User | undefined)[]> {
  const userIds = listed.map((item) => parseItem(listedSchema, item).userId);
  const users = await readUsers(userIds);
  return userIds.map((userId) => users.get(userId));
}

/** The user, or 404 `user_not_found`. */
export function requireUser(user: User | undefined): User {
  if (user !== undefined) return user;
  throw new ServiceError('user_not_found', { detail: 'There is no user with this id. Create the user first.' });
}

/** Reads a user who must exist. */
export async function readExistingUser(userId: UserId): Promise<User> {
  const [item] = await readItems([userKey(userId)]);
  return requireUser(userOf(item));
}

const erasedMarkSchema = v.object({
  erased: v.literal(true),
  userId: storedId<UserId>(),
  lastChangeId: v.string(),
  chainHead,
});

/** The tombstone of an erased user: a later user with the same id continues the order of changes after it. */
export type ErasedMark = Readonly<v.InferOutput<typeof erasedMarkSchema>>;

const erasedSchema = v.object({
  userId: storedId<UserId>(),
  lastChangeId: v.string(),
  /** Missing while the user is still being erased. */
  erasedAt: absentText,
});

/** A user who is being erased, or has been within the last 30 days. */
export function erasedUserOf(item: Item): v.InferOutput<typeof erasedSchema> {
  return parseItem(erasedSchema, item);
}

/**
 * Creates the user with its Change, and adds it to the list of users, if there is no item with this id, or only the given
 * tombstone of an erased user.
 */
export function createUserEntries(
  user: Omit<User, 'lastChangeId' | 'chainHead'>,
  mark: ErasedMark | undefined,
  change: Change,
): TransactEntry[] {
  const { userId } = user;
  const item = { ...userKey(userId), ...user, ...lastOf(change) };
  const listed = putEntry({ ...userEntryKey(userId), userId });
  if (mark === undefined) return [putNewEntry(item), listed];
  const created = putEntry(item, { equals: { erased: true, lastChangeId: mark.lastChangeId } });
  return [created, listed, deleteEntry(erasedEntryKey(userId))];
}

/** Whether a user has this id, even while being erased; otherwise the tombstone of an erased user, if there is one. */
export async function readUserId(userId: UserId): Promise<{ taken: boolean; mark: ErasedMark | undefined }> {
  const [item] = await readItems([userKey(userId)]);
  const mark = erasedMarkOf(item);
  return { taken: item !== undefined && mark === undefined, mark };
}

/** The tombstone of an erased user; undefined for any other item. */
export function erasedMarkOf(item: Item | undefined): ErasedMark | undefined {
  return item?.erased === true ? parseItem(erasedMarkSchema, item) : undefined;
}

function lastOf({ id, integrity }: Change) {
  return { lastChangeId: id, chainHead: integrity.mac };
}

/** Every write that concerns a user requires that it is the user that was read, and that its Change is the latest. */
function orderCondition({ createdAt, lastChangeId }: User, changeId: string) {
  const absent = ['deleting'];
  // Somebody wrote an id to the table that lies in the future: the order goes on without it.
  if (!isPossible(timeOfUlid(lastChangeId))) return { equals: { createdAt, lastChangeId }, absent };
  return { equals: { createdAt }, absent, below: { lastChangeId: changeId } };
}

/** Writes the next version of a user with its Change, if the stored version is still the one that was read. */
export function updateUserEntry(read: User, { userId, createdAt, ...set }: User, change: Change) {
  const { equals, ...order } = orderCondition(read, change.id);
  return updateEntry({
    key: userKey(userId),
    set: { ...set, ...lastOf(change) },
    ...order,
    // The search entries written in the same transaction depend on the words that were read.
    equals: { ...equals, version: read.version, words: read.words },
  });
}

/** Writes other words of a user, if the user was not modified since the read. */
export function updateWordsEntry({ userId, createdAt, version, words: before }: User, words: string) {
  return updateEntry({
    key: userKey(userId),
    set: { words },
    equals: { createdAt, version, words: before },
    absent: ['deleting'],
  });
}

/** Marks the user as being erased: the user is only listed among the erased ones, and further writes are refused. */
export function markUserEntries(read: User, change: Change): TransactEntry[] {
  const { equals, ...order } = orderCondition(read, change.id);
  const { userId } = read;
  const marked = updateEntry({
    key: userKey(userId),
    set: { deleting: true, ...lastOf(change) },
    ...order,
    equals: { ...equals, version: read.version },
  });
  const erased = putEntry({ ...erasedEntryKey(userId), userId, lastChangeId: change.id });
  return [marked, deleteEntry(userEntryKey(userId)), erased];
}

/** Makes a transaction depend on the user that was read, and on that nobody is erasing that user. */
export function requireUserEntry({ userId, createdAt }: Pick<User, 'userId' | 'createdAt'>) {
  return conditionCheckEntry(userKey(userId), { equals: { createdAt }, absent: ['deleting'] });
}

/** Makes a transaction depend on the user as read: for what was decided by the user, but changes only other items. */
export function requireUnchangedUserEntry({
  userId,
  createdAt,
  version,
}: Pick<User, 'userId' | 'createdAt' | 'version'>) {
  return conditionCheckEntry(userKey(userId), { equals: { createdAt, version }, absent: ['deleting'] });
}

/** Adds a Change to the order of the user's changes, if the user has been neither erased nor created again since the read. */
export function orderChangeEntry(read: User, changeId: string) {
  return updateEntry({ key: userKey(read.userId), set: { lastChangeId: changeId }, ...orderCondition(read, changeId) });
}

/** Makes a transaction depend on the user that is being erased, not on one created later with the same id. */
export function requireMarkedUserEntry({ userId, createdAt }: Pick<User, 'userId' | 'createdAt'>) {
  return conditionCheckEntry(userKey(userId), { equals: { createdAt, deleting: true } });
}

/** Reduces the user's own item to its tombstone, after all other items have been deleted. */
export function eraseUserEntries(
  { userId, createdAt }: Pick<User, 'userId' | 'createdAt'>,
  at: string,
): TransactEntry[] {
  const erased = { erasedAt: at, ttl: epochSeconds(at) + erasedMarkDays * secondsPerDay };
  const tombstone = updateEntry({
    key: userKey(userId),
    set: { erased: true, ...erased },
    remove: [
      'deleting',
      'status',
      'statusChangeId',
      'words',
      'version',
      'createdAt',
      'updatedAt',
      ...Object.keys(userFields),
      ...keptOfUser,
    ],
    equals: { createdAt, deleting: true },
  });
  return [tombstone, updateEntry({ key: erasedEntryKey(userId), set: { userId, ...erased } })];
}

/** The tombstone of a user whose erasure is on record, if it would still be kept; for when only the erasure is left. */
export function putTombstoneEntries(userId: UserId, { id, at, integrity }: Change): TransactEntry[] | undefined {
  const ttl = epochSeconds(at) + erasedMarkDays * secondsPerDay;
  // Not on the last day, on which DynamoDB may have removed it.
  if (ttl - secondsPerDay < now().getTime() / 1000) return undefined;
  const erased = { erased: true, userId, erasedAt: at, ttl, lastChangeId: id, chainHead: integrity.mac };
  return [putEntry({ ...userKey(userId), ...erased }, { absent: ['pk'] })];
}

/** Lists a user as being erased, or as erased, as the user's own item says. */
export function putErasedEntry(item: Item): TransactEntry {
  const { userId, lastChangeId, erasedAt, ttl } = parseItem(erasedItemSchema, item);
  const erased = erasedAt === undefined ? {} : { erasedAt, ttl };
  return putEntry({ ...erasedEntryKey(userId), userId, lastChangeId, ...erased });
}

const erasedItemSchema = v.object({
  userId: storedId<UserId>(),
  lastChangeId: v.string(),
  erasedAt: absentText,
  ttl: v.optional(v.number()),
});
