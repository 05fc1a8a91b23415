import type { AccessStatus } from '#shared/contract/access.ts';
import type { AppId, UserId } from '#shared/contract/ids.ts';
import { config } from '#shared/core/config.ts';
import type { Item } from './client.ts';
import { accessIndexKey, accessKey } from './keys.ts';

/** A role given to a user. */
export interface Grant {
  readonly grantedAt: string;
  /** `null` is never; a grant whose end has passed no longer counts. */
  readonly expiresAt: string | null;
}

/** What is stored of one user in one application; `shared/domain/decide-access.ts` says what it means. */
export interface StoredAccess {
  readonly userId: UserId;
  readonly appId: AppId;
  /** `null` when it was never set. */
  readonly status: AccessStatus | null;
  readonly until: string | null;
  readonly reason: string | null;
  /** By role name. */
  readonly roles: Readonly<Record<string, Grant>>;
  /** Counts the changes; 0 is no item yet. */
  readonly version: number;
  readonly updatedAt: string | null;
}

/** The access of an item. */
export function accessOf(item: Item): StoredAccess {
  return item as unknown as StoredAccess;
}

/** The access of an item, or the untouched one where there is no item. */
export function accessOrUntouched(item: Item | undefined, userId: UserId, appId: AppId): StoredAccess {
  if (item !== undefined) return accessOf(item);
  return { userId, appId, status: null, until: null, reason: null, roles: {}, version: 0, updatedAt: null };
}

/** Writes the next version of an access, if it is still the version that was read. */
export function updateAccessEntry(read: StoredAccess, next: StoredAccess) {
  const { userId, appId } = read;
  const { gsi1pk, gsi1sk } = accessIndexKey(userId, appId, next.status ?? 'enabled');
  return {
    Update: {
      TableName: config.tableName,
      Key: accessKey(userId, appId),
      UpdateExpression:
        'SET #userId = :userId, #appId = :appId, #status = :status, #until = :until, #reason = :reason, ' +
        '#roles = :roles, #version = :version, #updatedAt = :updatedAt, #gsi1pk = :gsi1pk, #gsi1sk = :gsi1sk',
      ConditionExpression: read.version === 0 ? 'attribute_not_exists(#version)' : '#version = :read',
      ExpressionAttributeNames: attributeNames,
      ExpressionAttributeValues: {
        ':userId': userId,
        ':appId': appId,
        ':status': next.status,
        ':until': next.until,
        ':reason': next.reason,
        ':roles': next.roles,
        ':version': next.version,
        ':updatedAt': next.updatedAt,
        ':gsi1pk': gsi1pk,
        ':gsi1sk': gsi1sk,
        ...(read.version === 0 ? {} : { ':read': read.version }),
      },
    },
  } as const;
}

const attributeNames = {
  '#userId': 'userId',
  '#appId': 'appId',
  '#status': 'status',
  '#until': 'until',
  '#reason': 'reason',
  '#roles': 'roles',
  '#version': 'version',
  '#updatedAt': 'updatedAt',
  '#gsi1pk': 'gsi1pk',
  '#gsi1sk': 'gsi1sk',
};
