import * as v from 'valibot';
import type { AppId, ConnectionId, RoleName, UserId } from '#shared/contract/fields.ts';
import { type Item, readItems, type TransactEntry } from '#shared/table/client.ts';
import { deleteEntry, putEntry, updateEntry } from '#shared/table/expression.ts';
import { mapSchema, nullableText, parseItem, storedId } from '#shared/table/item-schema.ts';
import type { User } from '#shared/table/items/user-item.ts';
import type { Key } from '#shared/table/key.ts';
import type { DirectoryUserState } from '../scim/directory.ts';
import { emailsOf, foldCase } from '../scim/user-attributes.ts';
import {
  accountEmailKey,
  accountEntryKey,
  accountKey,
  accountNameKey,
  externalIdKey,
  groupMemberKey,
  removedAccountKey,
} from './directory-item-keys.ts';
import { deleteGroupMemberEntry, isLeaving, putGroupMemberEntry } from './group-item.ts';

const accountItemSchema = v.object({
  userId: storedId<UserId>(),
  connectionId: storedId<ConnectionId>(),
  userName: v.string(),
  externalId: nullableText,
  /** What the directory said last; the status of the user may have been set by somebody else since. */
  active: v.boolean(),
  /** As JSON. */
  attributes: v.string(),
  /** Whether the directory deleted the user, who then no longer exists for it, but can return once out of all groups. */
  removed: v.boolean(),
  /** The groups that the user is a member of, by id. */
  groups: v.array(v.string()),
  /** The roles that groups gave and nobody has replaced since: the time of each grant, by application and role. */
  given: mapSchema(v.string()),
  version: v.number(),
  createdAt: v.string(),
  updatedAt: v.string(),
  /** When the user was created, which distinguishes the user from an erased one with the same id. */
  userCreatedAt: v.string(),
});

type StoredAccount = v.InferOutput<typeof accountItemSchema>;

/** The account by which a directory manages a user. */
export interface Account
  extends Readonly<Omit<StoredAccount, 'attributes' | keyof DirectoryUserState>>,
    DirectoryUserState {}

/** The account of an item; undefined if there is none. */
export function accountOf(item: Item | undefined): Account | undefined {
  if (item === undefined) return undefined;
  const { attributes, ...account } = parseItem(accountItemSchema, item);
  return { ...account, attributes: JSON.parse(attributes) };
}

/** The name of a role among the roles that groups gave. */
export const givenName = ({ appId, role }: { readonly appId: AppId; readonly role: RoleName }): string =>
  `${appId} ${role}`;

/** Whether a user belongs to this account, and not to one with the same id that was erased. */
export function isAccountOf(account: Account, user: User | undefined): user is User {
  return user?.createdAt === account.userCreatedAt;
}

/** Whether the directory of this connection manages the account, and has not removed it. */
export function isManagedBy(connectionId: ConnectionId, account: Account | undefined): account is Account {
  return account?.connectionId === connectionId && !account.removed;
}

/** Whether the account has groups, or roles that groups gave. One that the directory removed is to leave them. */
export function isMember({ groups, given }: Pick<Account, 'groups' | 'given'>): boolean {
  return groups.length + Object.keys(given).length > 0;
}

/** The user of an entry by which an account is found. */
export function accountOwnerOf(item: Item): UserId {
  return parseItem(v.object({ userId: storedId<UserId>() }), item).userId;
}

/** Reads accounts by the ids of their users, of any directory and also removed ones; strongly consistent. */
export async function readAccounts(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, Account>> {
  // BatchGetItem refuses a key that is given twice.
  const distinct = [...new Set(userIds)];
  const accounts = (await readItems(distinct.map(accountKey))).map(accountOf);
  return new Map(accounts.flatMap((account) => (account === undefined ? [] : [[account.userId, account]])));
}

/** A transaction that removes a user has room for the members' items of as many groups. */
const maxLeaving = 60;

/**
 * Writes the next version of an account, if it is still the one that was read; undefined if there was none. A user whom the
 * directory removes is no longer shown as a member of groups.
 */
export function putAccountEntries(read: Account | undefined, next: Account): TransactEntry[] {
  const { userId, attributes, ...rest } = next;
  const item = { ...accountKey(userId), userId, ...rest, attributes: JSON.stringify(attributes) };
  const unread = read === undefined ? { absent: ['pk'] } : { equals: { version: read.version } };
  const isRemoved = next.removed && read?.removed === false;
  const leaving = isRemoved ? memberPlaces(next).slice(0, maxLeaving) : [];
  return [putEntry(item, unread), ...changePlaces(read, next), ...leaving.map(putPlaceEntry)];
}

/** Writes the groups of an account and the roles that they gave, with the lists of the members, if it is the version that was read. */
export function putGroupsEntries(
  read: Account,
  next: Pick<Account, 'groups' | 'given' | 'updatedAt'>,
): TransactEntry[] {
  const { connectionId, userId, version } = read;
  const { groups, given, updatedAt } = next;
  const [joined, left] = [without(groups, read.groups), without(read.groups, groups)];
  return [
    updateEntry({
      key: accountKey(userId),
      set: { groups, given, updatedAt, version: version + 1 },
      // An account of another directory may by chance have the same version.
      equals: { version, connectionId },
    }),
    ...joined.map((groupId) => putGroupMemberEntry({ connectionId, groupId, userId })),
    ...left.map((groupId) => deleteGroupMemberEntry({ connectionId, groupId, userId })),
  ];
}

function without(all: readonly string[], others: readonly string[]): string[] {
  return all.filter((one) => !others.includes(one));
}

/** Deletes the account of an item with the entries by which it is found, and from the members of its groups. */
export function eraseAccountEntries(item: Item): TransactEntry[] {
  const account = accountOf(item);
  if (account === undefined) return [];
  const { connectionId, userId, groups } = account;
  const members = groups.map((groupId) => deleteGroupMemberEntry({ connectionId, groupId, userId }));
  return [...members, ...changePlaces(account, undefined), deleteEntry(accountKey(userId))];
}

/** Deletes the places of `read` that `next` does not have, and adds its others, of which some must be free. */
function changePlaces(read: Account | undefined, next: Account | undefined): TransactEntry[] {
  const before = placesOf(read);
  const after = placesOf(next);
  const gone = [...before].filter(([name]) => !after.has(name));
  const added = [...after].filter(([name]) => !before.has(name));
  return [...gone.map(([, { key }]) => deleteEntry(key)), ...added.map(([, place]) => putPlaceEntry(place))];
}

/** Adds a place; one that only one account can have must be free. */
export function putPlaceEntry({ key, userId, isUnique, leaving = false }: Place): TransactEntry {
  return putEntry({ ...key, userId, ...(leaving && { leaving }) }, isUnique ? { absent: ['pk'] } : undefined);
}

/** Where an account is found, and where it is a member. */
export function accountPlaces(account: Account): Place[] {
  return [...placesOf(account).values(), ...memberPlaces(account)];
}

/** Where an account is a member; one that the directory removed is to leave. */
function memberPlaces({ connectionId, userId, groups, removed }: Account): Place[] {
  return groups.map((groupId) => ({
    key: groupMemberKey(connectionId, groupId, userId),
    userId,
    isUnique: false,
    leaving: removed,
  }));
}

/** Whether an item is this place. */
export function isPlace(item: Item | undefined, { leaving = false }: Place): boolean {
  return item !== undefined && isLeaving(item) === leaving;
}

export interface Place {
  readonly key: Key;
  readonly userId: UserId;
  /** Whether only one account of the directory can have it. */
  readonly isUnique: boolean;
  /** Whether it is a group that the user is to leave. Default: false. */
  readonly leaving?: boolean;
}

/** Where an account is found; for the directory, one that it deleted only by its external id, should the user return. */
function placesOf(account: Account | undefined): ReadonlyMap<string, Place> {
  if (account === undefined) return new Map();
  const { connectionId, userId, userName, externalId, attributes, removed } = account;
  const places: Place[] = [];
  const add = (key: Key, isUnique: boolean) => places.push({ key, userId, isUnique });
  if (externalId !== null) add(externalIdKey(connectionId, externalId), true);
  if (removed) {
    add(removedAccountKey(connectionId, userId), false);
  } else {
    add(accountEntryKey(connectionId, userId), false);
    add(accountNameKey(connectionId, foldCase(userName)), true);
    for (const email of new Set(emailsOf(attributes).map(foldCase))) {
      add(accountEmailKey(connectionId, email, userId), false);
    }
  }
  return new Map(places.map((place) => [place.key.sk, place]));
}
