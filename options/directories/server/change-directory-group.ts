import type { Connection } from '#options/connections/table/connection-item.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { createUlid } from '#shared/core/ids.ts';
import { monotonicTimestamp, requireVersion } from '#shared/domain/request/optimistic-locking.ts';
import { identity, performWrite } from '#shared/domain/request/perform-write.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { type Item, readItems, type TransactEntry, transact } from '#shared/table/client.ts';
import type { DirectoryGroup, GroupChange } from '../scim/directory.ts';
import type { NewGroup } from '../scim/group-change.ts';
import { givenName } from '../table/account-item.ts';
import { groupExternalIdKey, groupKey, groupNameKey } from '../table/directory-item-keys.ts';
import {
  applyRolesEntry,
  countMembersEntry,
  type Group,
  groupIdOf,
  groupOf,
  putFenceEntries,
  putGroupEntries,
} from '../table/group-item.ts';
import { type Place, requireFree } from './account-rules.ts';
import { alignMembers, changeMembers, type Definitions, requireMembers } from './change-members.ts';
import { directoryGroup, readMembers, requireGroup } from './directory-groups.ts';
import { openDirectory } from './open-directory.ts';

/** What a request found or wrote of a group, and the connection that maps it to roles. */
interface OpenGroup {
  readonly connection: Connection;
  readonly group: Group;
}

/**
 * Creates a group with its members; 409 `already_exists` for a name or an external id that another group has. A repetition
 * completes the members of a creation that ran out of time.
 */
export async function createDirectoryGroup(
  { displayName, externalId, members }: NewGroup,
  context: ConnectionContext,
): Promise<DirectoryGroup> {
  const { connectionId } = context.caller;
  let definitions = noDefinitions;
  const opened = await performWrite<OpenGroup, OpenGroup>(context, {
    decide: async () => {
      const byName = groupNameKey(connectionId, displayName);
      const { connection, find } = await openDirectory(context, 'roles:write', [byName]);
      definitions = await requireMembers({ connection, group: { displayName }, add: members });
      const interrupted = await findInterrupted(find(byName), { connection, externalId });
      if (interrupted !== undefined) return { answer: { connection, group: interrupted } };
      await requireFreeNames(undefined, { connection, displayName, externalId });
      const at = now();
      const group: Group = {
        groupId: createUlid(at),
        connectionId,
        displayName,
        externalId,
        version: 1,
        deleting: false,
        replacements: 0,
        createdAt: at.toISOString(),
        updatedAt: at.toISOString(),
        appliedRoles: members.length === 0 ? rolesOf(displayName, connection) : null,
      };
      return { answer: { connection, group }, entries: putGroupEntries(undefined, group) };
    },
    toStored: identity,
    fromStored: identity,
  });
  const { connection, group } = opened;
  if (members.length > 0) {
    await changeMembers({ connection, group, add: members, remove: [], ...definitions }, context);
    await transact([applyRolesEntry(group, rolesOf(displayName, connection))]);
  }
  return { ...(await directoryGroup(group, false)), members: [...new Set(members)].sort() };
}

/** The group of this name whose creation ran out of time before all members were in it. */
async function findInterrupted(
  place: Item | undefined,
  { connection, externalId }: { readonly connection: Connection; readonly externalId: string | null },
): Promise<Group | undefined> {
  if (place === undefined) return undefined;
  const [item] = await readItems([groupKey(connection.connectionId, groupIdOf(place))]);
  const group = groupOf(item);
  if (group === undefined || group.version !== 1 || group.appliedRoles !== null) return undefined;
  return group.externalId === externalId ? group : undefined;
}

export interface GroupCommand {
  readonly id: string;
  /** The versions that the caller expects (`If-Match`); undefined for any. */
  readonly ifMatch?: readonly number[] | undefined;
}

/**
 * Changes a group: its name and its version first, then what the members get if the name or the mapping has changed, then the
 * members. Each step is complete in itself and safe to repeat; without time for the rest it is 503. Of two requests that replace
 * all members, the later one stops the other. The answer does not read the members.
 */
export async function changeDirectoryGroup(
  { id, ifMatch }: GroupCommand,
  { members: named, ...names }: GroupChange,
  context: ConnectionContext,
): Promise<DirectoryGroup> {
  const members = changesNobody(named) ? undefined : named;
  let definitions = noDefinitions;
  const opened = await performWrite<OpenGroup, OpenGroup>(context, {
    decide: async () => {
      const directory = await openDirectory(context, 'roles:write', [groupKey(context.caller.connectionId, id)]);
      const { connection } = directory;
      const group = requireGroup(directory, id);
      requireVersion('group', group.version, ifMatch);
      const next = groupAfter(group, { ...names, members });
      if (next === undefined) return { answer: { connection, group } };
      await requireFreeNames(group, { ...next, connection });
      definitions = await requireMembers({ connection, group: next, add: addedBy(members) });
      return { answer: { connection, group: next }, entries: nextGroupEntries(group, next, ifMatch !== undefined) };
    },
    toStored: identity,
    fromStored: identity,
  });
  const { connection, group } = opened;
  await applyRoles(opened, context);
  if (members !== undefined) {
    await changeMembers({ connection, group, ...(await memberChanges(group, members)), ...definitions }, context);
  }
  return directoryGroup(group, false);
}

/** The group once its name and its version are written; undefined if nothing changes. */
function groupAfter(group: Group, { members, ...names }: GroupChange): Group | undefined {
  const { displayName = group.displayName, externalId = group.externalId } = names;
  const isSame = displayName === group.displayName && externalId === group.externalId;
  if (isSame && members === undefined) return undefined;
  const replacements = group.replacements + (members !== undefined && 'set' in members ? 1 : 0);
  const version = group.version + 1;
  return { ...group, displayName, externalId, replacements, version, updatedAt: monotonicTimestamp(group) };
}

/** Changes of single members are only counted, so that several at the same time do not refuse each other. */
function nextGroupEntries(group: Group, next: Group, isExpected: boolean): TransactEntry[] {
  const { displayName, externalId, replacements, updatedAt } = next;
  if (replacements !== group.replacements) return [...putGroupEntries(group, next), ...putFenceEntries(next)];
  const isSame = displayName === group.displayName && externalId === group.externalId;
  return isSame && !isExpected ? [countMembersEntry(group, updatedAt)] : putGroupEntries(group, next);
}

function addedBy(members: GroupChange['members']): readonly UserId[] {
  if (members === undefined) return [];
  return 'set' in members ? members.set : members.add;
}

/** Until the members are read. */
const noDefinitions: Definitions = { definedAt: new Map() };

function changesNobody(members: GroupChange['members']): boolean {
  return members !== undefined && 'add' in members && members.add.length + members.remove.length === 0;
}

/** Brings the roles of all members in line with the mapping, unless they are. */
async function applyRoles({ connection, group }: OpenGroup, context: ConnectionContext): Promise<void> {
  const roles = rolesOf(group.displayName, connection);
  if (group.appliedRoles === roles) return;
  const members = await readMembers(group);
  await alignMembers(members, { connection, touches: [group.groupId], after: (groups) => groups }, context);
  await transact([applyRolesEntry(group, roles)]);
}

async function memberChanges(group: Group, members: NonNullable<GroupChange['members']>) {
  if ('add' in members) return members;
  const current = await readMembers(group);
  const wanted = new Set(members.set);
  return { add: [...wanted], remove: current.filter((userId) => !wanted.has(userId)) };
}

/** The roles that a group of this name gives, as a text to compare. */
function rolesOf(displayName: string, { groupRoles }: Connection): string {
  return groupRoles
    .filter(({ group }) => group === displayName)
    .map(givenName)
    .sort()
    .join(',');
}

type Names = Pick<NewGroup, 'displayName' | 'externalId'>;

/** 409 if another group of the directory has the name or the external id. */
async function requireFreeNames(
  group: Group | undefined,
  { connection: { connectionId }, displayName, externalId }: Names & Pick<OpenGroup, 'connection'>,
): Promise<void> {
  const wanted: Place[] = [];
  if (displayName !== group?.displayName) wanted.push(['displayName', groupNameKey(connectionId, displayName)]);
  if (externalId !== null && externalId !== group?.externalId) {
    wanted.push(['externalId', groupExternalIdKey(connectionId, externalId)]);
  }
  await requireFree('group', wanted, () => false);
}
