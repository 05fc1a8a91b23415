import type { UserStatus } from '#shared/contract/access.ts';
import type { UserId } from '#shared/contract/ids.ts';
import { config } from '#shared/core/config.ts';
import { type Item, putNewEntry, readItems } from './client.ts';
import { type Key, userIndexKey, userKey } from './keys.ts';

export interface User {
  readonly userId: UserId;
  readonly status: UserStatus;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A user as it stands in the table, also while it is being erased. */
export interface UserItem extends User {
  readonly deleting?: boolean;
}

/** The user of an item; one that is being erased is no longer there. */
export function userOf(item: Item | undefined): User | undefined {
  const user = item as UserItem | undefined;
  return user?.deleting === true ? undefined : user;
}

/** Reads one user, strongly consistent, whatever has become of it. */
export async function readUserItem(userId: UserId): Promise<(UserItem & Item) | undefined> {
  const [item] = await readItems([userKey(userId)]);
  return item as (UserItem & Item) | undefined;
}

/** Reads the users of a list of ids, strongly consistent; at most 100. */
export async function readUsers(userIds: readonly UserId[]): Promise<ReadonlyMap<string, User>> {
  const items = await readItems(userIds.map(userKey));
  const users = items.map(userOf).filter((user) => user !== undefined);
  return new Map(users.map((user) => [user.userId, user]));
}

/** Creates the user, once. */
export function createUserEntry(user: User) {
  const item: Item & Key = { ...userKey(user.userId), ...userIndexKey(user.userId), ...user };
  return putNewEntry(item);
}

/** Writes the next version of a user, if it is still the version that was read. */
export function updateUserEntry(read: User, next: User) {
  return {
    Update: {
      TableName: config.tableName,
      Key: userKey(read.userId),
      UpdateExpression:
        'SET #status = :status, #displayName = :displayName, #email = :email, #version = :next, #updatedAt = :at',
      ConditionExpression: `${stillTheOneRead} AND #version = :read`,
      ExpressionAttributeNames: {
        ...stillTheOneReadNames,
        '#status': 'status',
        '#displayName': 'displayName',
        '#email': 'email',
        '#version': 'version',
        '#updatedAt': 'updatedAt',
      },
      ExpressionAttributeValues: {
        ':createdAt': read.createdAt,
        ':status': next.status,
        ':displayName': next.displayName,
        ':email': next.email,
        ':next': next.version,
        ':read': read.version,
        ':at': next.updatedAt,
      },
    },
  } as const;
}

/** Marks the user as being erased: out of every list, and its writes are refused from here on. */
export function markUserEntry(read: User) {
  return {
    Update: {
      TableName: config.tableName,
      Key: userKey(read.userId),
      UpdateExpression: 'SET #deleting = :true REMOVE #gsi1pk, #gsi1sk',
      ConditionExpression: stillTheOneRead,
      ExpressionAttributeNames: { ...stillTheOneReadNames, '#gsi1pk': 'gsi1pk', '#gsi1sk': 'gsi1sk' },
      ExpressionAttributeValues: { ':createdAt': read.createdAt, ':true': true },
    },
  } as const;
}

/** Holds a transaction to the very user that was read: not erased since, nor created anew. */
export function userStillThereEntry(user: User) {
  return {
    ConditionCheck: {
      TableName: config.tableName,
      Key: userKey(user.userId),
      ConditionExpression: stillTheOneRead,
      ExpressionAttributeNames: stillTheOneReadNames,
      ExpressionAttributeValues: { ':createdAt': user.createdAt },
    },
  } as const;
}

/** Holds a transaction to the very user that is being erased: never to one created later. */
export function userStillMarkedEntry(user: User) {
  return { ConditionCheck: { ...stillMarked(user) } } as const;
}

/** Deletes the user's own item, the last of all. */
export function deleteMarkedUserEntry(user: User) {
  return { Delete: { ...stillMarked(user) } } as const;
}

const stillTheOneRead = '#createdAt = :createdAt AND attribute_not_exists(#deleting)';
const stillTheOneReadNames = { '#createdAt': 'createdAt', '#deleting': 'deleting' };

function stillMarked({ userId, createdAt }: User) {
  return {
    TableName: config.tableName,
    Key: userKey(userId),
    ConditionExpression: '#createdAt = :createdAt AND #deleting = :true',
    ExpressionAttributeNames: stillTheOneReadNames,
    ExpressionAttributeValues: { ':createdAt': createdAt, ':true': true },
  };
}
