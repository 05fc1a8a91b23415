import type { UserStatus } from '#shared/contract/access.ts';
import type { UserId } from '#shared/contract/ids.ts';
import { config } from '#shared/core/config.ts';
import { type Item, putNewEntry } from './client.ts';
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

/** The user of an item; one that is being erased is no longer there. */
export function userOf(item: Item | undefined): User | undefined {
  if (item === undefined || item.deleting === true) return undefined;
  return item as unknown as User;
}

/** Creates the user, once. */
export function createUserEntry(user: User) {
  const item: Item & Key = { ...userKey(user.userId), ...userIndexKey(user.userId), ...user };
  return putNewEntry(item);
}

/** Holds a transaction to the very user that was read: not erased since, nor created anew. */
export function userStillThereEntry(user: User) {
  return {
    ConditionCheck: {
      TableName: config.tableName,
      Key: userKey(user.userId),
      ConditionExpression: '#createdAt = :createdAt AND attribute_not_exists(#deleting)',
      ExpressionAttributeNames: { '#createdAt': 'createdAt', '#deleting': 'deleting' },
      ExpressionAttributeValues: { ':createdAt': user.createdAt },
    },
  } as const;
}
