import { isDeepStrictEqual } from 'node:util';
import { accessFields } from '#shared/contract/access-fields.ts';
import { pickFields, unsetFields } from '#shared/contract/field-forms.ts';
import { isInRollout } from '#shared/contract/rollout.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { compareText } from '../../../local/memory/expressions.ts';
import type { Item } from '../../../local/memory/memory-table.ts';
import type { OperationName } from '../operations.ts';
import type { ListInput, ReadList } from '../read-lists.ts';
import type { Run } from '../run-seed.ts';
import {
  accessOf,
  isAccess,
  isApplication,
  isChange,
  isErasure,
  isLive,
  isRole,
  rolloutOf,
  type StoredAccess,
  userOf,
} from '../stored-state.ts';

/** Checks that, at the end, every list shows exactly what is stored, in order. */
export function checkLists({ lists, items, endedAt }: Run): string[] {
  const stored = new Stored(items, endedAt);
  if (stored.isAboutToEnd()) return [];
  return lists.flatMap((list) => wrongOf(list, stored));
}

function wrongOf({ operation, input, shown, refusal, foreignCursor }: ReadList, stored: Stored): string[] {
  const where = `${operation} ${JSON.stringify(input)}`;
  const missing = stored.missing(input);
  if (refusal !== missing) return [`${where} gives ${refusal ?? 'a list'} instead of ${missing ?? 'a list'}`];
  if (missing !== undefined) return [];
  const expected = lists[operation]?.(stored, input);
  const order = operation === 'list-keys' ? inOneOrder : (all: readonly unknown[]) => all;
  if (!isDeepStrictEqual(order(shown), order(expected ?? []))) {
    return [`${where} shows ${JSON.stringify(shown)}, but ${JSON.stringify(expected)} is stored`];
  }
  const isRefused = foreignCursor === undefined || foreignCursor === 'invalid_request';
  return isRefused ? [] : [`${where} accepts the cursor of another list: ${foreignCursor}`];
}

/** Keys issued in the same millisecond can be in any order. */
function inOneOrder(keys: readonly unknown[]): readonly unknown[] {
  const place = (key: unknown) => Object(key) as { readonly createdAt: string; readonly keyId: string };
  return keys.map((key, n) => {
    const same = keys.filter((other) => place(other).createdAt === place(key).createdAt);
    const first = keys.findIndex((other) => place(other).createdAt === place(key).createdAt);
    return same.sort((one, other) => compareText(place(one).keyId, place(other).keyId))[n - first];
  });
}

/** The stored state as operators see it. */
class Stored {
  readonly #items: readonly Item[];
  readonly #at: number;

  constructor(items: readonly Item[], at: number) {
    this.#items = items;
    this.#at = at;
  }

  /** Whether something expires while it is read, by any clock. */
  isAboutToEnd(): boolean {
    const ends = this.#items.flatMap((item) => [
      item.until,
      item.expiresAt,
      ...grantsOf(item).map((one) => one.expiresAt),
    ]);
    return ends.some((end) => typeof end === 'string' && Math.abs(Date.parse(end) - this.#at) < 60_000);
  }

  /** Returns the error for a missing subject of a list. */
  missing({ userId, appId, role }: ListInput): string | undefined {
    if (userId !== undefined && this.user(userId) === undefined) return 'user_not_found';
    if (appId !== undefined && this.application(appId) === undefined) return 'application_not_found';
    if (role !== undefined && this.roles(appId).every((one) => one.role !== role)) return 'role_not_found';
    return undefined;
  }

  users(): Item[] {
    return this.#some((item) => userOf(item) !== undefined && isLive(item), ['userId']);
  }

  user(userId: unknown): Item | undefined {
    return this.users().find((user) => user.userId === userId);
  }

  applications(): Item[] {
    return this.#some((item) => isApplication(item) && isLive(item), ['appId']);
  }

  application(appId: unknown): Item | undefined {
    return this.applications().find((application) => application.appId === appId);
  }

  roles(appId: unknown): Item[] {
    return this.#some((item) => isRole(item) && isLive(item) && item.appId === appId, ['role']);
  }

  access(userId: unknown, appId: unknown): StoredAccess | undefined {
    return this.accesses().find((access) => access.userId === userId && access.appId === appId);
  }

  accesses(): StoredAccess[] {
    return this.#some(isAccess, ['userId']).map(accessOf);
  }

  changes(isMeant: (change: Item) => boolean): Item[] {
    return this.#some((item) => isChange(item) && isMeant(item), ['id']).map((item) => pick(item, ...changeFields));
  }

  /** Returns who set a status, from the change that its item names. */
  statusSetBy({ statusChangeId: id }: { readonly statusChangeId?: unknown } | Item): unknown {
    const change = this.#items.find((item) => isChange(item) && item.id === id);
    return change === undefined
      ? (id ?? null)
      : { changeId: id, bulkId: null, ticket: null, ...pick(change, 'at', 'caller', 'reason', 'ticket', 'bulkId') };
  }

  /** Returns the connection of the directory that owns a user. */
  directoryOf({ userId, createdAt }: Item): unknown {
    const account = this.#items.find(({ pk, sk }) => pk === `USER#${userId}` && sk === 'ACCOUNT');
    return account?.userCreatedAt === createdAt ? (account?.connectionId ?? null) : null;
  }

  /** Returns the roles that a user holds, each with who assigned it. */
  reviewedRoles({ roles }: Pick<StoredAccess, 'roles'>) {
    return this.liveRoles({ roles }).map((role) => {
      const { grantedAt, changeId } = roles[role.name] ?? {};
      return { ...role, grantedAt, grantedBy: this.statusSetBy({ statusChangeId: changeId }) };
    });
  }

  /** Returns who deactivated a user; empty for an active user. */
  inactivatedBy(userId: unknown): unknown {
    const user = this.user(userId);
    return user?.status === 'inactive' ? this.statusSetBy(user) : null;
  }

  /** Returns the day of a key's last use. */
  lastUse(keyId: string): unknown {
    return this.#items.find(({ sk }) => sk === `KEYUSE#${keyId}`)?.lastUsedOn ?? null;
  }

  liveRoles({ roles }: Pick<StoredAccess, 'roles'>) {
    return Object.entries(roles)
      .filter(([, { expiresAt }]) => !this.isOver(expiresAt))
      .map(([name, { expiresAt }]) => ({ name, expiresAt }))
      .sort((one, other) => compareText(one.name, other.name));
  }

  isOver(end: string | null): boolean {
    return end !== null && Date.parse(end) <= this.#at;
  }

  #some(isMeant: (item: Item) => boolean, by: readonly string[]): Item[] {
    const place = (item: Item) => by.map((name) => String(item[name])).join();
    return this.#items.filter(isMeant).sort((one, other) => compareText(place(one), place(other)));
  }
}

function grantsOf(item: Item) {
  return isAccess(item) ? Object.values(accessOf(item).roles) : [];
}

const changeFields = [
  'id',
  'at',
  'action',
  'appId',
  'userId',
  'role',
  'keyId',
  'webhookId',
  'bulkId',
  'caller',
  'requestId',
  'sourceIp',
  'undoOf',
  'before',
  'after',
  'reason',
  'ticket',
  'integrity',
];

function pick(item: Item, ...names: readonly string[]): Item {
  return Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])));
}

const times = ['version', 'createdAt', 'updatedAt'] as const;
const userView = (item: Item) => ({
  displayName: null,
  email: null,
  ...pick(item, 'userId', 'status', 'displayName', 'email', ...times),
});
const applicationView = (item: Item) => ({
  requestsPerSecond: null,
  requireReason: null,
  reviewEveryDays: null,
  reviewDueAt: null,
  ...pick(item, 'appId', 'name', 'requestsPerSecond', 'requireReason', 'reviewEveryDays', ...times),
  rolloutPercent: rolloutOf(item),
  reviewedAt: reviewedAt(item),
});

function reviewedAt({ lastReview }: Item): string | null {
  const { changeId } = Object(lastReview);
  return changeId === undefined ? null : new Date(timeOfUlid(changeId)).toISOString();
}
const roleView = (item: Item) => ({ description: null, ...pick(item, 'appId', 'role', 'description', ...times) });

/** The accesses of an application's users that are not the default. */
function accessesOf(stored: Stored, appId: unknown) {
  return stored
    .accesses()
    .filter((access) => access.appId === appId && stored.user(access.userId) !== undefined)
    .filter((access) => access.status !== null || stored.liveRoles(access).length > 0);
}

function applicationUserView(stored: Stored, access: ReturnType<typeof accessesOf>[number]) {
  return {
    ...accessView(stored, access.userId, access.appId),
    displayName: null,
    email: null,
    ...pick(stored.user(access.userId) ?? {}, 'displayName', 'email'),
    statusSetBy: stored.statusSetBy(access),
    userStatusSetBy: stored.inactivatedBy(access.userId),
  };
}

/** Returns the effective access of a user in an application, which may have no stored access. */
function accessView(stored: Stored, userId: unknown, appId: unknown) {
  const none = { status: null, ...unsetFields(accessFields), roles: {}, version: 0, updatedAt: null };
  const access = stored.access(userId, appId) ?? none;
  const { status, until, version, updatedAt } = access;
  const user = stored.user(userId);
  const isOver = status === 'disabled' && stored.isOver(until);
  const [decidedBy, effectiveStatus] =
    user?.status === 'inactive'
      ? ['user', 'disabled']
      : status === null
        ? byRollout(stored, String(userId), String(appId))
        : isOver
          ? ['lapsed', 'enabled']
          : ['explicit', status];
  const explicit = { status: status ?? 'enabled', explicit: status !== null, ...pickFields(accessFields, access) };
  const roles = stored.liveRoles(access);
  return {
    userId,
    appId,
    ...explicit,
    userStatus: user?.status,
    effectiveStatus,
    decidedBy,
    roles,
    version,
    updatedAt,
  };
}

function byRollout(stored: Stored, userId: string, appId: string): [decidedBy: string, effectiveStatus: string] {
  const percent = rolloutOf(stored.application(appId) ?? {});
  if (percent === 100) return ['default', 'enabled'];
  return ['rollout', isInRollout(appId, userId, percent) ? 'enabled' : 'disabled'];
}

/** Returns an application's history, including changes of users in every application since it was created. */
function historyOf(stored: Stored, appId: unknown): Item[] {
  const created = String(stored.application(appId)?.createdAt);
  return stored.changes(
    ({ appId: of, gsi1pk, at }) => of === appId || (gsi1pk === 'USERS#CHANGES' && String(at) >= created),
  );
}

const lists: Readonly<Partial<Record<OperationName, (stored: Stored, input: ListInput) => unknown[]>>> = {
  'get-user': (stored, { userId }) =>
    [stored.user(userId)].flatMap((user) =>
      user ? [{ ...userView(user), statusSetBy: stored.statusSetBy(user), directory: stored.directoryOf(user) }] : [],
    ),
  'list-users': (stored, { prefix = '', status }) =>
    stored
      .users()
      .filter((user) => String(user.userId).startsWith(prefix) && (status === undefined || user.status === status))
      .map(userView),
  'list-user-access': (stored, { userId }) =>
    stored.applications().map((application) => ({
      ...accessView(stored, userId, application.appId),
      statusSetBy: stored.statusSetBy(stored.access(userId, application.appId) ?? {}),
      appName: application.name,
      rolloutPercent: rolloutOf(application),
      requireReason: application.requireReason ?? null,
    })),
  'list-user-changes': (stored, { userId }) =>
    stored.changes((change) => change.userId === userId && !isErasure(change)).reverse(),
  'get-application': (stored, { appId }) =>
    stored
      .applications()
      .filter((one) => one.appId === appId)
      .map(applicationView),
  'list-applications': (stored) => stored.applications().map(applicationView),
  'list-application-users': (stored, { appId, status: asked }) =>
    accessesOf(stored, appId)
      .map((access) => applicationUserView(stored, access))
      .filter(({ status }) => asked === undefined || status === asked),
  'list-access-review': (stored, { appId }) =>
    accessesOf(stored, appId).map((access) => ({
      ...applicationUserView(stored, access),
      roles: stored.reviewedRoles(access),
      lastChange: stored.statusSetBy({ statusChangeId: access.lastChangeId }),
    })),
  'list-application-changes': (stored, { appId }) => historyOf(stored, appId).reverse(),
  'list-application-changes-after': (stored, { appId }) => historyOf(stored, appId),
  'get-role': (stored, { appId, role }) =>
    stored
      .roles(appId)
      .filter((one) => one.role === role)
      .map(roleView),
  'list-roles': (stored, { appId }) => stored.roles(appId).map(roleView),
  'list-members': (stored, { appId, role }) =>
    stored
      .accesses()
      .filter((access) => access.appId === appId)
      .flatMap((access) => {
        const held = stored.liveRoles(access).find(({ name }) => name === role);
        const { displayName = null, email = null } = stored.user(access.userId) ?? {};
        return held ? [{ userId: access.userId, displayName, email, expiresAt: held.expiresAt }] : [];
      }),
  'list-keys': (stored, { appId }) =>
    Object.entries((stored.application(appId)?.keys ?? {}) as Readonly<Record<string, Item>>)
      .map(([keyId, key], _, all) => ({
        keyId,
        ...pick(key, 'label', 'scopes', 'createdAt', 'issuedBy', 'expiresAt', 'revokedAt'),
        lastUsedOn: stored.lastUse(keyId),
        replaces: key.replaces ?? null,
        replacedBy: latestKey(all.filter(([, { replaces }]) => replaces === keyId).map(([successor]) => successor)),
      }))
      .sort((one, other) => compareText(String(Object(other).createdAt), String(Object(one).createdAt))),
};

function latestKey(keyIds: readonly string[]): string | null {
  return keyIds.toSorted((one, other) => compareText(other.slice(-26), one.slice(-26)))[0] ?? null;
}
