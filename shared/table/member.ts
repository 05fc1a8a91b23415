import type { AppId, RoleName, UserId } from '#shared/contract/ids.ts';
import { config } from '#shared/core/config.ts';
import type { Item } from './client.ts';
import { memberKey } from './keys.ts';
import { epochSeconds } from './time-to-live.ts';

/** One grant, seen from its role. */
export interface Member {
  readonly userId: UserId;
  readonly expiresAt: string | null;
}

/** The member of an item. */
export function memberOf(item: Item): Member {
  return item as unknown as Member;
}

/** Notes a grant under its role; DynamoDB removes the note some time after the grant's end. */
export function putMemberEntry(appId: AppId, role: RoleName, userId: UserId, expiresAt: string | null) {
  return {
    Put: {
      TableName: config.tableName,
      Item: {
        ...memberKey(appId, role, userId),
        userId,
        expiresAt,
        ...(expiresAt === null ? {} : { ttl: epochSeconds(expiresAt) }),
      },
    },
  };
}

/** Takes the note away; one that is not there is no error. */
export function deleteMemberEntry(appId: AppId, role: RoleName, userId: UserId) {
  return { Delete: { TableName: config.tableName, Key: memberKey(appId, role, userId) } };
}
