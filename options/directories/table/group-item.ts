import * as v from 'valibot';
import type { ConnectionId, UserId } from '#shared/contract/fields.ts';
import type { Item, TransactEntry } from '#shared/table/client.ts';
import { conditionCheckEntry, deleteEntry, putEntry, updateEntry } from '#shared/table/expression.ts';
import { deletingMark, nullableText, parseItem, storedId } from '#shared/table/item-schema.ts';
import type { Key } from '#shared/table/key.ts';
import { groupExternalIdKey, groupFenceKey, groupKey, groupMemberKey, groupNameKey } from './directory-item-keys.ts';

const groupItemSchema = v.object({
  groupId: v.string(),
  connectionId: storedId<ConnectionId>(),
  displayName: v.string(),
  externalId: nullableText,
  /** The roles that all its members have been given, as they were mapped then; `null` while that is not complete. */
  appliedRoles: nullableText,
  /** How often a request has replaced all members. */
  replacements: v.optional(v.number(), 0),
  version: v.number(),
  createdAt: v.string(),
  updatedAt: v.string(),
  deleting: deletingMark,
});

/** A group of a directory; its members are items of their own. */
export type Group = Readonly<v.InferOutput<typeof groupItemSchema>>;

/** The group of an item, even while it is being deleted. */
export function groupItemOf(item: Item | undefined): Group | undefined {
  return item && parseItem(groupItemSchema, item);
}

/** The group of an item; undefined if it is being deleted. */
export function groupOf(item: Item | undefined): Group | undefined {
  const group = groupItemOf(item);
  return group?.deleting === true ? undefined : group;
}

/** The group of an entry by which one is found. */
export function groupIdOf(item: Item): string {
  return parseItem(v.object({ groupId: v.string() }), item).groupId;
}

/** Writes the next version of a group, if it is still the one that was read; undefined if there was none. */
export function putGroupEntries(read: Group | undefined, next: Group): TransactEntry[] {
  const { deleting, ...group } = next;
  const item = { ...groupKey(next.connectionId, next.groupId), ...group, ...(deleting && { deleting }) };
  const unread = read === undefined ? { absent: ['pk'] } : { equals: { version: read.version } };
  return [putEntry(item, unread), ...changePlaces(read, next)];
}

/** Records which roles all members of a group have been given, if the group is still at the version that was read. */
export function applyRolesEntry({ connectionId, groupId, version }: Group, appliedRoles: string): TransactEntry {
  return updateEntry({ key: groupKey(connectionId, groupId), set: { appliedRoles }, equals: { version } });
}

/** Counts a change of members as a version of the group. */
export function countMembersEntry({ connectionId, groupId }: Group, updatedAt: string): TransactEntry {
  return updateEntry({
    key: groupKey(connectionId, groupId),
    set: { updatedAt },
    add: { version: 1 },
    equals: { groupId },
  });
}

/**
 * How many changes of one group's members can be written at the same time: two transactions that need the same item refuse each
 * other, even if both only check it.
 */
export const groupLanes = 10;

/** Stops the changes of members that began before all of them are replaced: their transactions depend on a fence. */
export function putFenceEntries({ connectionId, groupId, replacements }: Group): TransactEntry[] {
  return fenceKeys(connectionId, groupId).map((key) => putEntry({ ...key, replacements }));
}

/** Makes a transaction depend on that no request has replaced the members since the group was read. */
export function requireFenceEntry({ connectionId, groupId, replacements }: FencedGroup, lane: number): TransactEntry {
  const key = groupFenceKey(connectionId, groupId, lane);
  return conditionCheckEntry(key, replacements === 0 ? { absent: ['pk'] } : { equals: { replacements } });
}

/** What a fence depends on. */
export type FencedGroup = Pick<Group, 'connectionId' | 'groupId' | 'replacements'>;

function fenceKeys(connectionId: ConnectionId, groupId: string): Key[] {
  return Array.from({ length: groupLanes }, (_, lane) => groupFenceKey(connectionId, groupId, lane));
}

/** Deletes a group, once it has no members. */
export function deleteGroupEntries(group: Group): TransactEntry[] {
  const { connectionId, groupId } = group;
  const keys = [...fenceKeys(connectionId, groupId), groupKey(connectionId, groupId)];
  return [...changePlaces(group, undefined), ...keys.map((key) => deleteEntry(key))];
}

function changePlaces(read: Group | undefined, next: Group | undefined): TransactEntry[] {
  const [before, after] = [placesOf(read), placesOf(next)];
  const gone = before.filter((key) => !after.some(({ sk }) => sk === key.sk));
  const added = after.filter((key) => !before.some(({ sk }) => sk === key.sk));
  return [
    ...gone.map((key) => deleteEntry(key)),
    ...added.map((key) => putEntry({ ...key, groupId: next?.groupId }, { absent: ['pk'] })),
  ];
}

/** Where a group is found; one that is being deleted is not, so that its name is free. */
function placesOf(group: Group | undefined): Key[] {
  if (group === undefined || group.deleting) return [];
  const { connectionId, displayName, externalId } = group;
  const byName = groupNameKey(connectionId, displayName);
  return externalId === null ? [byName] : [byName, groupExternalIdKey(connectionId, externalId)];
}

/** A member of a group. */
interface Membership {
  readonly connectionId: ConnectionId;
  readonly groupId: string;
  readonly userId: UserId;
  /** Whether the directory removed the user, who has not left the group yet. Default: false. */
  readonly leaving?: boolean;
}

export function putGroupMemberEntry({ connectionId, groupId, userId, leaving = false }: Membership): TransactEntry {
  return putEntry({ ...groupMemberKey(connectionId, groupId, userId), userId, ...(leaving && { leaving }) });
}

export function deleteGroupMemberEntry({ connectionId, groupId, userId }: Membership): TransactEntry {
  return deleteEntry(groupMemberKey(connectionId, groupId, userId));
}

const groupMemberSchema = v.object({ userId: storedId<UserId>(), leaving: v.optional(v.boolean(), false) });

/** The user of a member's item. */
export function groupMemberOf(item: Item): UserId {
  return parseItem(groupMemberSchema, item).userId;
}

/** Whether a member's item, or another place of an account, is of a user who is only to leave the group. */
export function isLeaving(item: Item): boolean {
  return parseItem(groupMemberSchema, item).leaving;
}
