import type { ConnectionId, UserId } from '#shared/contract/fields.ts';
import { isUserId } from '#shared/contract/fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { readItems } from '#shared/table/client.ts';
import { readAllOf } from '#shared/table/read-items-of.ts';
import { type DirectoryGroup, type GroupConditions, type IndexPage, pageOf } from '../scim/directory.ts';
import { accountOf, isManagedBy } from '../table/account-item.ts';
import {
  accountKey,
  groupExternalIdKey,
  groupKey,
  groupMembersRange,
  groupNameKey,
  groupsRange,
} from '../table/directory-item-keys.ts';
import { type Group, groupIdOf, groupMemberOf, groupOf, isLeaving } from '../table/group-item.ts';
import { type OpenDirectory, openDirectory } from './open-directory.ts';

/** The group, or 404 `route_not_found`; also for one that is being deleted. */
export function requireGroup({ connection, find }: OpenDirectory, id: string): Group {
  const group = groupOf(find(groupKey(connection.connectionId, id)));
  if (group !== undefined) return group;
  throw groupNotFound();
}

export function groupNotFound(): ServiceError {
  return new ServiceError('route_not_found', { detail: 'The directory has no group with this id.' });
}

/** The members of a group, by id, strongly consistent; also users whom the directory removed, until they have left. */
export async function readMembers(group: Group): Promise<UserId[]> {
  return (await readMemberItems(group)).map(groupMemberOf);
}

function readMemberItems({ connectionId, groupId }: Group) {
  return readAllOf(groupMembersRange(connectionId, groupId));
}

/** The members that the directory sees: a user whom it removed does not exist for it. */
async function readShownMembers(group: Group): Promise<UserId[]> {
  return (await readMemberItems(group)).filter((item) => !isLeaving(item)).map(groupMemberOf);
}

/** A group as its directory sees it. */
export async function directoryGroup(group: Group, withMembers: boolean): Promise<DirectoryGroup> {
  const { groupId: id, displayName, externalId, version, createdAt, updatedAt } = group;
  const members = withMembers ? await readShownMembers(group) : undefined;
  return { id, displayName, externalId, members, version, createdAt, updatedAt };
}

interface WithMembers {
  /** Whether the members are read; large groups have thousands. */
  readonly withMembers: boolean;
}

/** One group of the directory, or 404 `route_not_found`. */
export async function readDirectoryGroup(
  { id, withMembers }: WithMembers & { readonly id: string },
  context: ConnectionContext,
): Promise<DirectoryGroup> {
  const directory = await openDirectory(context, 'roles:write', [groupKey(context.caller.connectionId, id)]);
  return directoryGroup(requireGroup(directory, id), withMembers);
}

export interface FoundGroups {
  /** How many groups meet the conditions. */
  readonly total: number;
  /** The groups of the page, in the order of their creation. */
  readonly groups: readonly DirectoryGroup[];
}

/** The groups of the directory that meet all conditions, strongly consistent. */
export async function findDirectoryGroups(
  { startIndex, count, withMembers, ...conditions }: GroupConditions & IndexPage & WithMembers,
  context: ConnectionContext,
): Promise<FoundGroups> {
  const { connection } = await openDirectory(context, 'roles:write');
  const found = (await candidates(connection, conditions)).filter((group) => meets(group, conditions));
  const shown = pageOf(found, { startIndex, count });
  return { total: found.length, groups: await mapConcurrently(shown, (group) => directoryGroup(group, withMembers)) };
}

/** The groups that may meet the conditions, by the most selective one. */
async function candidates(
  connection: OpenDirectory['connection'],
  { id, displayName, externalId, member }: GroupConditions,
): Promise<Group[]> {
  const { connectionId } = connection;
  if (member !== undefined) {
    const [item] = isUserId(member) ? await readItems([accountKey(member)]) : [];
    const account = accountOf(item);
    const ids = isManagedBy(connectionId, account) ? account.groups : [];
    return readGroups(connectionId, id === undefined ? ids : ids.filter((groupId) => groupId === id));
  }
  if (id !== undefined) return readGroups(connectionId, [id]);
  const key =
    displayName !== undefined
      ? groupNameKey(connectionId, displayName)
      : externalId !== undefined
        ? groupExternalIdKey(connectionId, externalId)
        : undefined;
  if (key === undefined) return (await readAllOf(groupsRange(connectionId))).flatMap((item) => groupOf(item) ?? []);
  const [found] = await readItems([key]);
  return found === undefined ? [] : readGroups(connectionId, [groupIdOf(found)]);
}

function meets(group: Group, { displayName, externalId }: GroupConditions): boolean {
  return (
    (displayName === undefined || group.displayName === displayName) &&
    (externalId === undefined || group.externalId === externalId)
  );
}

async function readGroups(connectionId: ConnectionId, ids: readonly string[]): Promise<Group[]> {
  const items = await readItems(ids.map((id) => groupKey(connectionId, id)));
  return items.flatMap((item) => groupOf(item) ?? []);
}
