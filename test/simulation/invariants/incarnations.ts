import { type Item, joined } from '../../../local/memory/memory-table.ts';
import type { CallRecord } from '../clients.ts';
import type { Run } from '../run-seed.ts';
import type { Commit } from '../simulated-dynamodb.ts';
import {
  accessOf,
  accountOf,
  applicationKey,
  type CommittedChange,
  connectionKey,
  directoryOf,
  isAccess,
  isApplication,
  isChange,
  isErasure,
  isInactiveMark,
  isLive,
  isOfDirectory,
  isSearchEntry,
  isUser,
  memberOf,
  roleKey,
  type StoredChange,
  userKey,
} from '../stored-state.ts';
import { bounds } from '../swarm.ts';

/**
 * Checks that the data of a deleted user, role, application or connection is gone when the deletion is reported complete, does not
 * return, and is not attributed to a later one of the same name; and that the later one loses nothing.
 */
export function checkIncarnations(run: Run): string[] {
  return [...leftAtTheEnd(run), ...historyOfUsers(run), ...olderGrants(run), ...takenGrants(run), ...duringTheRun(run)];
}

function leftAtTheEnd({ items, endedAt }: Run): string[] {
  const stored = new Map(items.map((item) => [joined(item as { pk: string; sk: string }), item]));
  return items.flatMap((item) => {
    const reason = withoutOwner(item, (key) => stored.get(joined(key)), endedAt);
    return reason === undefined ? [] : [`${item.pk} ${item.sk} is left: ${reason}`];
  });
}

type Find = (key: { readonly pk: string; readonly sk: string }) => Item | undefined;

/** Why an item should not exist; undefined if it may. */
function withoutOwner(item: Item, find: Find, endedAt: number): string | undefined {
  const [kind, id = '', part] = String(item.pk).split('#');
  const isGone = (key: Parameters<Find>[0]) => !isLive(find(key));
  if (kind === 'USER' && !isUser(item) && !isErasure(item) && isGone(userKey(id))) return 'the user was erased';
  if (isFoundBy(item) && isGone(userKey(String(item.userId)))) return 'the user was erased';
  if (directoriesOf(item).some((connectionId) => isGone(connectionKey(connectionId))))
    return 'the connection was deleted';
  if (kind === 'APP' && !isApplication(item) && !isChange(item) && isGone(applicationKey(id)))
    return 'the application was deleted';
  if (kind === 'APP' && part === 'ROLE') return withoutMember(item, isGone, endedAt);
  if (!isAccess(item)) return undefined;
  const { appId, roles } = accessOf(item);
  if (isGone(applicationKey(appId))) return 'the application was deleted';
  const [role] = Object.keys(roles).filter(
    (name) => !isOver(roles[name]?.expiresAt, endedAt) && isGone(roleKey(appId, name)),
  );
  return role && `grants ${role}, which was deleted`;
}

/** The same of an entry in the list of those who hold a role. */
function withoutMember(item: Item, isGone: (key: Parameters<Find>[0]) => boolean, endedAt: number): string | undefined {
  const member = memberOf(item);
  if (member === undefined || isOver(member.expiresAt, endedAt)) return undefined;
  if (isGone(roleKey(member.appId, member.role))) return 'the role was deleted';
  return isGone(userKey(member.userId)) ? 'the user was erased' : undefined;
}

/** The connection whose directory said it; none for any other item. */
function directoriesOf(item: Item): string[] {
  const connectionId = accountOf(item)?.connectionId ?? directoryOf(item);
  return connectionId === undefined ? [] : [connectionId];
}

/** Whether it is in another partition than its user. */
function isFoundBy(item: Item): boolean {
  return isSearchEntry(item) || (isOfDirectory(item) && typeof item.userId === 'string');
}

/** By the clock of any process. */
function isOver(end: string | null | undefined, at: number): boolean {
  return typeof end === 'string' && Date.parse(end) <= at + bounds.skewMilliseconds;
}

/** Checks that a user's history belongs to this incarnation of the user and is complete from the creation. */
function historyOfUsers({ changes, items }: Run): string[] {
  const stored = new Set(items.filter(isChange).map(({ id }) => id));
  const users = new Map(items.filter(isUser).map((item) => [item.userId, item]));
  return changes.flatMap(({ change: { id, action, userId }, position }) => {
    if (userId === undefined || action === 'user.deleted') return [];
    const created = lastPosition(changes, (other) => other.action === 'user.created' && other.userId === userId);
    if (stored.has(id)) return created > position ? [`${action} ${id} is of an erased user ${userId}`] : [];
    return created <= position && isLive(users.get(userId)) ? [`${action} ${id} of ${userId} is gone`] : [];
  });
}

/** Checks that each grant is newer than the definition of its role. */
function olderGrants({ changes, items, endedAt }: Run): string[] {
  return items.filter(isAccess).flatMap((item) => {
    const { userId, appId, roles } = accessOf(item);
    return Object.keys(roles)
      .filter((role) => !isOver(roles[role]?.expiresAt, endedAt))
      .filter((role) => assigned(changes, { userId, appId, role }) < defined(changes, { appId, role }))
      .map((role) => `${userId} holds ${role} of ${appId} by a grant of the deleted role`);
  });
}

type Positioned = readonly CommittedChange[];

function lastPosition(changes: Positioned, matches: (change: StoredChange) => boolean): number {
  return changes.findLast(({ change }) => matches(change))?.position ?? -1;
}

interface Named {
  readonly appId?: string | undefined;
  readonly role?: string | undefined;
  readonly userId?: string | undefined;
}

function defined(changes: Positioned, { appId, role }: Named): number {
  const isIt = (other: StoredChange) => other.appId === appId && other.role === role && other.before === null;
  return lastPosition(changes, (other) => other.action === 'role.defined' && isIt(other));
}

function assigned(changes: Positioned, { userId, appId, role }: Named): number {
  const isIt = (other: StoredChange) => other.userId === userId && other.appId === appId && other.role === role;
  return lastPosition(changes, (other) => other.action === 'role.assigned' && isIt(other));
}

/** Checks that a deletion does not revoke grants of a role defined after it. */
function takenGrants({ changes, calls }: Run): string[] {
  const sweeping = new Set(
    calls
      .filter(({ operation }) => operation === 'delete-role' || operation === 'define-role')
      .flatMap(({ attempts }) => attempts.map(({ requestId }) => requestId)),
  );
  return changes.flatMap(({ change, position }) => {
    if (change.action !== 'role.revoked' || !sweeping.has(change.requestId)) return [];
    const earlier = changes.filter((other) => other.position < position);
    const created = defined(earlier, change);
    const isDeleted = lastPosition(earlier, isDeletionOf(change)) > created;
    if (isDeleted || assigned(earlier, change) < created) return [];
    return [`${change.requestId} took ${change.role} from ${change.userId}, a grant of the redefined role`];
  });
}

function isDeletionOf({ appId, role }: StoredChange): (other: StoredChange) => boolean {
  return (other) => other.action === 'role.deleted' && other.appId === appId && other.role === role;
}

/** Checks a deletion when it is reported complete, unless the name was reused during it. */
function duringTheRun({ calls, commits, changes, swarm }: Run): string[] {
  // A grant that has expired by the clock of the sweep is not revoked, whatever the others show.
  const ahead = swarm?.clockErrorMilliseconds ?? 0;
  const items = new Map<string, Item>();
  const deletions = calls
    .flatMap(completed)
    .filter((deletion) => !isUsedAgain(deletion, changes))
    .sort((one, other) => one.at - other.at);
  const found: string[] = [];
  for (const commit of [...commits, { at: Number.POSITIVE_INFINITY, mutations: [] }]) {
    while (deletions[0] !== undefined && deletions[0].at < commit.at) {
      const deletion = deletions.shift();
      if (deletion !== undefined) found.push(...leftOf({ ...deletion, at: deletion.at + ahead }, items));
    }
    apply(items, commit);
  }
  return found;
}

interface CompletedDeletion extends Named {
  readonly id: string;
  readonly startedAt: number;
  readonly at: number;
}

function completed({ id, operation, input, attempts, startedAt }: CallRecord): CompletedDeletion[] {
  if (operation !== 'delete-user' && operation !== 'delete-role' && operation !== 'delete-application') return [];
  // A retry concerns what the first attempt found.
  return attempts.flatMap(({ answer, answeredAt }) =>
    answer?.kind === 'done' && answer.body.complete === true && answeredAt !== undefined
      ? [{ ...(input as Named), id: `${id} ${operation}`, startedAt, at: answeredAt }]
      : [],
  );
}

function isUsedAgain({ userId, appId, role, startedAt, at }: CompletedDeletion, changes: Positioned): boolean {
  return changes.some(
    (created) =>
      created.change.before === null &&
      created.at >= startedAt &&
      created.at <= at &&
      created.change.userId === userId &&
      created.change.appId === appId &&
      created.change.role === role,
  );
}

function leftOf({ id, userId, appId, role, at }: CompletedDeletion, items: ReadonlyMap<string, Item>): string[] {
  const find: Find = (key) => items.get(joined(key));
  if (isLive(find(ownerKey({ userId, appId, role })))) return [];
  // The items of an application that is being deleted are removed with it.
  if (role !== undefined && !isLive(find(applicationKey(appId ?? '')))) return [];
  const isIts = (item: Item) => {
    const owned = ownedBy(item, at);
    if (userId !== undefined) return owned?.userId === userId;
    // The items of a user who is being erased are removed with the user.
    const isErased = owned?.userId !== undefined && !isLive(find(userKey(owned.userId)));
    return owned?.appId === appId && (role === undefined || owned?.roles?.includes(role)) && !isErased;
  };
  return [...items.values()]
    .filter((item) => isIts(item) && withoutOwner(item, find, at) !== undefined)
    .map((item) => `${id} was complete, and ${item.pk} ${item.sk} was left`);
}

function ownerKey({ userId, appId = '', role }: Named) {
  if (userId !== undefined) return userKey(userId);
  return role === undefined ? applicationKey(appId) : roleKey(appId, role);
}

/**
 * Returns the owner of an item and the roles that it grants at a time; undefined for a user, a role, an application or
 * a nonce.
 */
function ownedBy(item: Item, at: number): { userId?: string; appId?: string; roles?: readonly string[] } | undefined {
  const member = memberOf(item);
  if (member !== undefined) return { ...member, roles: [member.role] };
  if (isAccess(item)) {
    const { roles, ...access } = accessOf(item);
    return { ...access, roles: Object.keys(roles).filter((name) => !isOver(roles[name]?.expiresAt, at)) };
  }
  if (isFoundBy(item) || isInactiveMark(item) || accountOf(item) !== undefined) return { userId: String(item.userId) };
  if (isChange(item) && String(item.pk).startsWith('USER#')) return { userId: String(item.userId) };
  return undefined;
}

function apply(items: Map<string, Item>, { mutations }: Pick<Commit, 'mutations'>): void {
  for (const mutation of mutations) {
    if (mutation.after === undefined) items.delete(joined(mutation));
    else items.set(joined(mutation), mutation.after);
  }
}
