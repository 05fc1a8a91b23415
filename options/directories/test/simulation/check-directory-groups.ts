import type { Run } from '#test/simulation/run-seed.ts';
import {
  accessKey,
  accessOf,
  accountOf,
  applicationKey,
  connectionKey,
  directoryOf,
  groupMemberOf,
  groupOf,
  groupRolesOf,
  isAccess,
  isLive,
  isOfDirectory,
  roleKey,
  type StoredAccount,
  type StoredChange,
  type StoredGrant,
} from '#test/simulation/stored-state.ts';
import { type Item, joined, type Key } from '../../../../local/memory/memory-table.ts';
import { accountPlaces, accountOf as storedAccountOf } from '../../table/account-item.ts';
import { directoriesIn } from './directories.ts';
import type { Directory } from './directory.ts';

/**
 * Checks that groups take and replace only grants of groups of the same directory, that at the end everybody has the roles of their
 * groups and no other of the directory's, and that accounts and groups are found by what they have, and by nothing else.
 */
export function checkDirectoryGroups(run: Run): string[] {
  const { items } = run;
  const directories = directoriesIn(run);
  if (directories.length === 0) return [];
  const stored = new Map(items.map((item) => [joined(item as unknown as Key), item]));
  const find = (key: Key) => stored.get(joined(key));
  return [
    ...decidedGrants(run),
    ...wrongMarks(run),
    ...unfoundedGrants(run),
    ...directories.flatMap((directory) => wrongRoles(directory, run, find)),
    ...wrongMembers(items),
    ...wrongPlaces(items),
  ];
}

type Find = (key: Key) => Item | undefined;

function decidedGrants({ commits, changes }: Run): string[] {
  const byId = new Map(changes.map(({ change }) => [change.id, change]));
  return changes.flatMap(({ change, position, at }) => {
    const { caller, userId = '', appId = '', role = '', requestId, action } = change;
    if (caller.kind !== 'connection' || role === '') return [];
    const before = new Map(commits[position]?.mutations.map((item) => [joined(item), item.before]));
    const access = before.get(joined(accessKey(userId, appId)));
    const held = access && accessOf(access).roles[role];
    const isOwn = held !== undefined && [caller.connectionId, 'an undo'].includes(giverOf(held, byId));
    if (isOwn || (action === 'role.assigned' && !isHeld(held, at))) return [];
    return [`${requestId} ${action} ${role} of ${appId} to ${userId}, which somebody else gave`];
  });
}

/** By any clock. */
function isHeld(grant: StoredGrant | undefined, at: number): boolean {
  if (grant === undefined) return false;
  return grant.expiresAt === null || Date.parse(grant.expiresAt) > at + 3_600_000;
}

/** Checks that what an account has of a grant was written together with it, or was a grant of an earlier directory's group. */
function unfoundedGrants({ commits }: Run): string[] {
  const fromGroups = new Set<string>();
  return commits.flatMap(({ at, mutations }) => {
    for (const { after } of mutations) {
      if (after === undefined || !isAccess(after)) continue;
      const { userId, appId, roles } = accessOf(after);
      for (const [role, { fromGroup, grantedAt }] of Object.entries(roles)) {
        if (fromGroup === true) fromGroups.add(`${userId} ${appId} ${role} ${grantedAt}`);
      }
    }
    return mutations.flatMap((mutation) => {
      const [before, after] = [accountOf(mutation.before), accountOf(mutation.after)];
      const added = Object.entries(after?.given ?? {}).filter(([name, time]) => before?.given[name] !== time);
      return added
        .filter(([name, time]) => !fromGroups.has(`${after?.userId} ${name} ${time}`))
        .map(([name]) => `the account of ${after?.userId} has a grant of ${name} that was not made, at ${at}`);
    });
  });
}

/** Checks that a change says that a group gave a role only if one did, or if it restores such a grant. */
function wrongMarks({ changes }: Run): string[] {
  const byId = new Map(changes.map(({ change }) => [change.id, change]));
  return changes.flatMap(({ change }) => {
    const { action, caller, undoOf = '', after, requestId, role } = change;
    if (action !== 'role.assigned') return [];
    const isRight = caller.kind === 'connection' || byId.get(undoOf)?.before?.fromGroup === true;
    return isRight === (after?.fromGroup === true) ? [] : [`${requestId} says of ${role}: ${JSON.stringify(after)}`];
  });
}

/** Whose group gave a grant: a directory's, or an earlier one that an undo restored; undefined for what somebody assigned. */
function giverOf(grant: StoredGrant | undefined, changes: ReadonlyMap<string, StoredChange>): string | undefined {
  const { caller, after } = changes.get(grant?.changeId ?? '') ?? {};
  if (caller?.kind === 'connection') return caller.connectionId;
  return after?.fromGroup === true ? 'an undo' : undefined;
}

function wrongRoles({ swarm }: Directory, { items, changes }: Run, find: Find): string[] {
  const { connectionId } = swarm;
  const connection = find(connectionKey(connectionId));
  // The users of a directory whose connection is deleted keep their roles.
  if (!isLive(connection)) return [];
  const groupRoles = groupRolesOf(connection);
  const byId = new Map(changes.map(({ change }) => [change.id, change]));
  const groups = new Map(items.flatMap((item) => groupOf(item) ?? []).map((group) => [group.groupId, group]));
  const accounts = new Map(
    items
      .flatMap((item) => accountOf(item) ?? [])
      .filter((account) => account.connectionId === connectionId)
      .map((account) => [account.userId, account]),
  );
  const rolesOf = ({ groups: ids }: StoredAccount) => {
    const names = ids.map((groupId) => groups.get(groupId)?.displayName);
    return new Map(
      groupRoles.filter(({ group }) => names.includes(group)).map((row) => [`${row.appId} ${row.role}`, row]),
    );
  };
  const missing = [...accounts.values()].flatMap((account) =>
    [...rolesOf(account)].flatMap(([name, { appId, role }]) => {
      const isThere = isLive(find(applicationKey(appId))) && isLive(find(roleKey(appId, role)));
      const access = find(accessKey(account.userId, appId));
      const isHeld = access !== undefined && accessOf(access).roles[role] !== undefined;
      // What a person has decided since is not repeated, unless another role has the name.
      const isKnown = (account.given[name] ?? '') >= String(find(roleKey(appId, role))?.createdAt);
      return !isThere || isHeld || isKnown ? [] : [`${account.userId} lacks ${name} of a group`];
    }),
  );
  const foreign = [...accounts.values()].flatMap((account) =>
    Object.keys(account.given)
      .filter((name) => !rolesOf(account).has(name))
      .map((name) => `${account.userId} still has ${name} of a group`),
  );
  const unknown = items.filter(isAccess).flatMap((item) => {
    const { userId, appId, roles } = accessOf(item);
    return Object.entries(roles)
      .filter(([role, grant]) => {
        const account = accounts.get(userId);
        const given = account?.given[`${appId} ${role}`];
        const giver = giverOf(grant, byId);
        if (giver === connectionId) return given !== grant.grantedAt;
        // It has another time than the grant that the group gave.
        return giver === 'an undo' && account !== undefined && given === undefined;
      })
      .map(([role]) => `${userId} has ${role} of ${appId} by a group, which is not known`);
  });
  return [...missing, ...foreign, ...unknown];
}

function wrongMembers(items: readonly Item[]): string[] {
  const accounts = items.flatMap((item) => accountOf(item) ?? []);
  const groups = new Set(items.flatMap((item) => groupOf(item) ?? []).map(({ groupId }) => groupId));
  const joinedGroups = accounts.flatMap(({ userId, groups: ids }) => ids.map((groupId) => `${userId} in ${groupId}`));
  const listed = items
    .flatMap((item) => groupMemberOf(item) ?? [])
    .map(({ userId, groupId }) => `${userId} in ${groupId}`);
  return [
    ...joinedGroups.filter((line) => !listed.includes(line)).map((line) => `${line} is not listed`),
    ...listed.filter((line) => !joinedGroups.includes(line)).map((line) => `${line} is listed, and is no member`),
    ...accounts
      .flatMap(({ userId, groups: ids }) => ids.filter((id) => !groups.has(id)).map((id) => `${userId} in ${id}`))
      .map((line) => `${line}, which is gone`),
  ];
}

/** What an account or a group is found by, and the accounts and groups themselves. */
function wrongPlaces(items: readonly Item[]): string[] {
  const places = items.flatMap((item) => {
    const account = item.sk === 'ACCOUNT' ? storedAccountOf(item as never) : undefined;
    return account === undefined ? [] : accountPlaces(account).map(({ key, userId }) => `${joined(key)} of ${userId}`);
  });
  const found = items
    .filter((item) => isOfDirectory(item) && typeof item.userId === 'string')
    .map((item) => `${joined(item as unknown as Key)} of ${item.userId}`);
  const groups = items.flatMap((item) => groupOf(item) ?? []);
  const names = items.filter((item) => directoryOf(item) !== undefined && String(item.sk).startsWith('GROUPNAME#'));
  return [
    ...places.filter((place) => !found.includes(place)).map((place) => `${place} is missing`),
    ...found.filter((place) => !places.includes(place)).map((place) => `${place} is left`),
    ...groups
      .filter(({ groupId }) => names.filter((item) => item.groupId === groupId).length !== 1)
      .map(({ groupId }) => `the group ${groupId} does not have one name`),
    ...names
      .filter((item) => groups.every(({ groupId }) => groupId !== item.groupId))
      .map(({ groupId }) => `the name of the group ${groupId} is left`),
  ];
}
