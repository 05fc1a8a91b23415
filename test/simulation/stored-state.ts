import { accessFields } from '#shared/contract/access-fields.ts';
import { pickFields } from '#shared/contract/field-forms.ts';
import type { UserId } from '#shared/contract/fields.ts';
import type { Item, MemoryTable } from '../../local/memory/memory-table.ts';
import type { Commit } from './simulated-dynamodb.ts';

/*
 * The stored state as the checks read it. No other module of the simulation knows the shapes of items.
 */

export type RecordedState = Readonly<Record<string, string | number | boolean | null>>;

/** A Change, as stored and as readers receive it. */
export interface StoredChange {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly appId?: string;
  readonly userId?: string;
  readonly role?: string;
  readonly keyId?: string;
  readonly webhookId?: string;
  readonly connectionId?: string;
  readonly caller: { readonly kind?: string; readonly connectionId?: string };
  readonly bulkId?: string;
  readonly undoOf?: string;
  readonly requestId: string;
  readonly sourceIp: string;
  readonly reason: string | null;
  readonly ticket?: string;
  readonly before: RecordedState | null;
  readonly after: RecordedState | null;
}

/** A Change, with the time and position of its commit. */
export interface CommittedChange {
  readonly change: StoredChange;
  readonly at: number;
  readonly position: number;
}

export interface StoredGrant {
  readonly grantedAt: string;
  readonly expiresAt: string | null;
  /** The change that assigned it. */
  readonly changeId?: string;
  readonly fromGroup?: boolean;
}

export interface StoredAccess extends Readonly<Record<keyof typeof accessFields, string | null>> {
  readonly userId: string;
  readonly appId: string;
  readonly status: string | null;
  readonly roles: Readonly<Record<string, StoredGrant>>;
  readonly version: number;
  readonly updatedAt: string | null;
  /** The change that set the status. */
  readonly statusChangeId: string | null;
  readonly lastChangeId: string;
}

export interface StoredUser {
  readonly userId: UserId;
  readonly displayName: string | null;
  readonly email: string | null;
}

export interface StoredMember {
  readonly appId: string;
  readonly role: string;
  readonly userId: string;
  readonly expiresAt: string | null;
}

/** Returns every Change ever written, in commit order. */
export function committedChanges(commits: readonly Commit[]): CommittedChange[] {
  return commits.flatMap(({ at, mutations }, position) =>
    mutations.flatMap(({ sk, before, after }) =>
      sk.startsWith('CHANGE#') && before === undefined && after !== undefined
        ? [{ change: after as unknown as StoredChange, at, position }]
        : [],
    ),
  );
}

/** The percentage of an application. */
export function rolloutOf({ rolloutPercent }: Item): number {
  return Number(rolloutPercent);
}

export function isChange({ sk }: Item): boolean {
  return String(sk).startsWith('CHANGE#');
}

/** Whether an item is the record of an erased user. */
export function isErasure({ sk }: Item): boolean {
  return String(sk).startsWith('CHANGE#ERASED#');
}

/** Whether a change is in an application's feed: a change of the application, or of a user in every application. */
export function isInFeed({ gsi1pk }: Item, appId: string): boolean {
  return gsi1pk === `APP#${appId}#CHANGES` || gsi1pk === 'USERS#CHANGES';
}

/** Whether an item is a search word of a user. */
export function isSearchEntry({ pk }: Item): boolean {
  return String(pk).startsWith('FIND#');
}

/** Whether an item is the mark that lists an inactive user. */
export function isInactiveMark({ pk }: Item): boolean {
  return pk === 'USERS#INACTIVE';
}

/** Whether an item lists a user among all users, or among those who are being erased or have been. */
export function isUserEntry({ pk }: Item): boolean {
  return pk === 'USERS';
}
export function isErasedEntry({ pk }: Item): boolean {
  return pk === 'USERS#ERASED';
}

/** The numbered changes of an item, with the feed's name; undefined for any other item. */
export function logBlockOf({ pk, sk, first, changes, totals }: Item) {
  const [, feed] = /^FEED#(.+)$/.exec(String(pk)) ?? [];
  if (feed === undefined || !/^LOG#\d/.test(String(sk))) return undefined;
  return {
    feed,
    first: Number(first),
    ids: (changes as readonly { readonly id: string }[]).map(({ id }) => id),
    totals: totalsOf(totals),
  };
}

/** What a feed has counted, as its log or the overview has it. */
export interface FeedCounters {
  readonly feed: string;
  readonly upTo: number;
  readonly totals: {
    readonly users: number;
    readonly inactive: number;
    readonly blocked: number;
    readonly changes: number;
  };
  readonly corrections: { readonly users: number; readonly inactive: number; readonly blocked: number };
}

/** The copied counters of a feed; undefined for any other item. */
export function feedCountersOf(item: Item): FeedCounters | undefined {
  const { pk, sk, upTo = 0, totals, correctedUsers = 0, correctedInactive = 0, correctedBlocked = 0 } = item;
  if (pk !== 'OVERVIEW') return undefined;
  return {
    feed: String(sk),
    upTo: Number(upTo),
    totals: totalsOf(totals),
    corrections: {
      users: Number(correctedUsers),
      inactive: Number(correctedInactive),
      blocked: Number(correctedBlocked),
    },
  };
}

function totalsOf(totals: unknown): FeedCounters['totals'] {
  const {
    users = 0,
    inactive = 0,
    blocked = 0,
    days = '',
  } = (totals ?? {}) as Partial<Record<string, number | string>>;
  const changes = String(days)
    .split(';')
    .slice(1)
    .reduce((sum, day) => sum + Number(day.split('.')[0]), 0);
  return { users: Number(users), inactive: Number(inactive), blocked: Number(blocked), changes };
}

/** A change that has no number yet, with the feed's name; undefined for any other item. */
export function pendingOf({ pk, sk, id }: Item) {
  const [, feed] = /^FEED#(.+)$/.exec(String(pk)) ?? [];
  return feed !== undefined && String(sk).startsWith('PENDING#') ? { feed, id: String(id) } : undefined;
}

/** The feed of a change; undefined if it is in none. */
export function feedOf({ gsi1pk }: Item): string | undefined {
  if (gsi1pk === 'USERS#CHANGES') return 'USERS';
  return /^APP#(.+)#CHANGES$/.exec(String(gsi1pk))?.[1];
}

export function isAccess({ sk }: Item): boolean {
  return String(sk).startsWith('ACCESS#');
}

export function accessOf(item: Item): StoredAccess {
  const { userId, appId, status = null, roles = {}, version, updatedAt } = item;
  const { statusChangeId = null, lastChangeId } = item;
  const setting = { status, ...pickFields(accessFields, item) };
  return { userId, appId, ...setting, roles, version, updatedAt, statusChangeId, lastChangeId } as StoredAccess;
}

/**
 * Returns the user that an item represents, even while it is being erased; undefined for the mark of an erased user.
 */
export function userOf(item: Item | undefined): Item | undefined {
  return item !== undefined && item.sk === 'USER' && item.status !== undefined ? item : undefined;
}

export function isUser({ sk }: Item): boolean {
  return sk === 'USER';
}

/** Whether an item is a user, role or application that is being deleted, or its tombstone. */
export function isDeleting(item: Item | undefined): boolean {
  return item?.deleting === true || item?.erased === true;
}

export function isLive(item: Item | undefined): item is Item {
  return item !== undefined && !isDeleting(item);
}

export function isRole({ sk }: Item): boolean {
  return String(sk).startsWith('ROLE#');
}

export function isApplication({ sk }: Item): boolean {
  return sk === 'APP';
}

export function memberOf({ pk, sk, expiresAt = null }: Item): StoredMember | undefined {
  const [, appId, role] = /^APP#([^#]+)#ROLE#(.+)$/.exec(String(pk)) ?? [];
  if (appId === undefined || role === undefined) return undefined;
  return { appId, role, userId: String(sk).slice('USER#'.length), expiresAt: expiresAt as string | null };
}

/** Returns the access that an application finds by this item; undefined for any other item. */
export function accessEntryOf({ pk, sk }: Item): { appId: string; userId: string } | undefined {
  const [, appId] = /^APP#([^#]+)#USERS$/.exec(String(pk)) ?? [];
  return appId === undefined ? undefined : { appId, userId: String(sk).slice('USER#'.length) };
}

/** Whether an item is a connection, or the tombstone of one. */
export function isConnection({ sk }: Item): boolean {
  return sk === 'CONNECTION';
}

/** Whether the table has the connection, and it was not deleted. */
export function isConnected(table: MemoryTable, connectionId: string): boolean {
  return isLive(table.get(connectionKey(connectionId)));
}

/** Which groups of a directory give which roles. */
export function groupRolesOf({ groupRoles }: Item): readonly StoredGroupRole[] {
  return groupRoles as readonly StoredGroupRole[];
}

/** The role that a group with this name gives. */
export interface StoredGroupRole {
  readonly group: string;
  readonly appId: string;
  readonly role: string;
}

/** An account by which a directory manages a user. */
export interface StoredAccount {
  readonly userId: string;
  readonly connectionId: string;
  readonly userName: string;
  readonly externalId: string | null;
  readonly active: boolean;
  readonly removed: boolean;
  readonly groups: readonly string[];
  /** The time of each grant that a group gave, by application and role. */
  readonly given: Readonly<Record<string, string>>;
}

/** A group of a directory. */
export interface StoredGroup {
  readonly groupId: string;
  readonly connectionId: string;
  readonly displayName: string;
  readonly deleting?: boolean;
}

/** The account of an item; undefined for any other item. */
export function accountOf(item: Item | undefined): StoredAccount | undefined {
  return item?.sk === 'ACCOUNT' ? (item as unknown as StoredAccount) : undefined;
}

/** The group of an item; undefined for any other item. */
export function groupOf(item: Item): StoredGroup | undefined {
  return isOfDirectory(item) && /^GROUP#/.test(String(item.sk)) ? (item as unknown as StoredGroup) : undefined;
}

/** The connection of an item that lists accounts or groups, or what they are found by; undefined for any other item. */
export function directoryOf({ pk }: Item): string | undefined {
  return /^SCIM#([^#]+)$/.exec(String(pk))?.[1];
}

/** Whether an item belongs to a directory, other than an account. */
export function isOfDirectory({ pk }: Item): boolean {
  return String(pk).startsWith('SCIM#');
}

/** A member of a group; undefined for any other item. */
export function groupMemberOf({ pk, sk, userId }: Item): { groupId: string; userId: string } | undefined {
  if (!String(sk).startsWith('USER#')) return undefined;
  const [, groupId] = /^SCIM#[^#]+#GROUP#(.+)$/.exec(String(pk)) ?? [];
  return groupId === undefined ? undefined : { groupId, userId: String(userId) };
}

export const accountKey = (userId: string) => ({ pk: `USER#${userId}`, sk: 'ACCOUNT' });
export const groupKey = (connectionId: string, groupId: string) => ({
  pk: `SCIM#${connectionId}`,
  sk: `GROUP#${groupId}`,
});
/** Of a connection, also of one that was deleted. */
export const connectionKey = (connectionId: string) => ({ pk: `CONNECTION#${connectionId}`, sk: 'CONNECTION' });
export const userKey = (userId: string) => ({ pk: `USER#${userId}`, sk: 'USER' });
export const inactiveMarkKey = (userId: string) => ({ pk: 'USERS#INACTIVE', sk: userId });
export const userChangeKey = (userId: string, changeId: string) => ({ pk: `USER#${userId}`, sk: `CHANGE#${changeId}` });
export const accessKey = (userId: string, appId: string) => ({ pk: `USER#${userId}`, sk: `ACCESS#${appId}` });
export const applicationKey = (appId: string) => ({ pk: `APP#${appId}`, sk: 'APP' });
export const roleKey = (appId: string, role: string) => ({ pk: `APP#${appId}`, sk: `ROLE#${role}` });

/** Returns the subject of a Change: a user, a role, an application, a connection or an access. */
export function subjectOf({ action, userId = '', appId = '', role = '', connectionId }: StoredChange) {
  if (connectionId !== undefined) return connectionKey(connectionId);
  if (action.startsWith('user.')) return userKey(userId);
  if (userId !== '') return accessKey(userId, appId);
  return role !== '' ? roleKey(appId, role) : applicationKey(appId);
}
