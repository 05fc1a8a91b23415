import type { ConnectionId, UserId } from '#shared/contract/fields.ts';
import { digest } from '#shared/core/ids.ts';
import type { Key, Range } from '#shared/table/key.ts';

/** The account by which a directory manages a user, of whom it is the only one. It sorts before what outlives the user. */
export const accountKey = (userId: UserId): Key => ({ pk: `USER#${userId}`, sk: 'ACCOUNT' });
export const isAccountKey = ({ sk }: Key): boolean => sk === 'ACCOUNT';

/** One account in the list of a directory's users, by id. */
export const accountEntryKey = (connectionId: ConnectionId, userId: UserId): Key => ({
  pk: directoryPartition(connectionId),
  sk: `USER#${userId}`,
});
/** The account of a user whom the directory removed. */
export const removedAccountKey = (connectionId: ConnectionId, userId: UserId): Key => ({
  pk: directoryPartition(connectionId),
  sk: `REMOVED#${userId}`,
});
/** The account with a name or an external id, of which a directory has one each; digests, so that keys name nobody. */
export const accountNameKey = (connectionId: ConnectionId, folded: string): Key => ({
  pk: directoryPartition(connectionId),
  sk: `NAME#${digest(folded)}`,
});
export const externalIdKey = (connectionId: ConnectionId, externalId: string): Key => ({
  pk: directoryPartition(connectionId),
  sk: `EXTERNAL#${digest(externalId)}`,
});
/** One of the accounts with an e-mail address, of which there may be several. */
export const accountEmailKey = (connectionId: ConnectionId, folded: string, userId: UserId): Key => ({
  pk: directoryPartition(connectionId),
  sk: `EMAIL#${digest(folded)}#${userId}`,
});
export const isAccountPlace = ({ sk }: Key): boolean => sk.startsWith('USER#') || sk.startsWith('REMOVED#');
/** One group of a directory. */
export const groupKey = (connectionId: ConnectionId, groupId: string): Key => ({
  pk: directoryPartition(connectionId),
  sk: `GROUP#${groupId}`,
});
/** Whether an item of a directory is a group, or what one is found by; all others belong to an account. */
export const isGroupPlace = ({ sk }: Key): boolean => sk.startsWith('GROUP');
export const isGroupKey = ({ sk }: Key): boolean => sk.startsWith('GROUP#');
/** The group with a name or an external id, of which a directory has one each. */
export const groupNameKey = (connectionId: ConnectionId, displayName: string): Key => ({
  pk: directoryPartition(connectionId),
  sk: `GROUPNAME#${digest(displayName)}`,
});
export const groupExternalIdKey = (connectionId: ConnectionId, externalId: string): Key => ({
  pk: directoryPartition(connectionId),
  sk: `GROUPEXTERNAL#${digest(externalId)}`,
});
/** One member of a group, in a partition of each group: it may have thousands. */
export const groupMemberKey = (connectionId: ConnectionId, groupId: string, userId: UserId): Key => ({
  pk: membersPartition(connectionId, groupId),
  sk: `USER#${userId}`,
});
/** One of the items by which changes of a group's members learn that a later request has replaced them all. */
export const groupFenceKey = (connectionId: ConnectionId, groupId: string, lane: number): Key => ({
  pk: membersPartition(connectionId, groupId),
  sk: `FENCE#${lane}`,
});
const directoryPartition = (connectionId: ConnectionId) => `SCIM#${connectionId}`;
const membersPartition = (connectionId: ConnectionId, groupId: string) =>
  `${directoryPartition(connectionId)}#GROUP#${groupId}`;

/** Everything of a directory but the accounts and the members of groups. */
export const directoryRange = (connectionId: ConnectionId): Range => ({ pk: directoryPartition(connectionId) });

/** The accounts of a directory, by id. */
export const accountsRange = (connectionId: ConnectionId): Range => ({
  pk: directoryPartition(connectionId),
  prefix: 'USER#',
});

/** The accounts of a directory with an e-mail address. */
export const accountsWithEmailRange = (connectionId: ConnectionId, folded: string): Range => ({
  pk: directoryPartition(connectionId),
  prefix: accountEmailKey(connectionId, folded, '' as UserId).sk,
});

/** The groups of a directory, by id. */
export const groupsRange = (connectionId: ConnectionId): Range => ({
  pk: directoryPartition(connectionId),
  prefix: 'GROUP#',
});

/** The members of a group, by id. */
export const groupMembersRange = (connectionId: ConnectionId, groupId: string): Range => ({
  pk: membersPartition(connectionId, groupId),
  prefix: 'USER#',
});

/** The members of a group, and its fences. */
export const groupContentsRange = (connectionId: ConnectionId, groupId: string): Range => ({
  pk: membersPartition(connectionId, groupId),
});
