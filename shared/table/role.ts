import type { AppId, RoleName } from '#shared/contract/ids.ts';
import { config } from '#shared/core/config.ts';
import { type Application, applicationOf } from './application.ts';
import { type Item, putNewEntry, readItems } from './client.ts';
import { applicationKey, type Key, roleKey } from './keys.ts';
import { epochSeconds } from './time-to-live.ts';

const secondsPerDay = 86_400;

export interface Role {
  readonly appId: AppId;
  readonly role: RoleName;
  readonly description: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A role as it stands in the table, also when it was deleted; then `updatedAt` says when. */
export interface RoleItem extends Role {
  readonly deleting?: boolean;
}

/** The role of an item; one that was deleted is no longer there. */
export function roleOf(item: Item | undefined): Role | undefined {
  const role = item as RoleItem | undefined;
  return role?.deleting === true ? undefined : role;
}

/** Reads a role, whatever has become of it, with its application, strongly consistent. */
export async function readRoleItem(
  appId: AppId,
  role: RoleName,
): Promise<{ application: Application | undefined; item: RoleItem | undefined }> {
  const [application, item] = await readItems([applicationKey(appId), roleKey(appId, role)]);
  return { application: applicationOf(application), item: item as RoleItem | undefined };
}

/** Defines the role, once. */
export function createRoleEntry(role: Role) {
  const item: Item & Key = { ...roleKey(role.appId, role.role), ...role };
  return putNewEntry(item);
}

/** Writes the next version of a role, or defines one anew that was deleted, if it is still the version that was read. */
export function updateRoleEntry(read: RoleItem, next: Role) {
  return {
    Update: {
      TableName: config.tableName,
      Key: roleKey(read.appId, read.role),
      UpdateExpression:
        'SET #description = :description, #version = :next, #createdAt = :createdAt, #updatedAt = :at REMOVE #deleting, #ttl',
      ConditionExpression: '#version = :read',
      ExpressionAttributeNames: {
        '#description': 'description',
        '#version': 'version',
        '#createdAt': 'createdAt',
        '#updatedAt': 'updatedAt',
        '#deleting': 'deleting',
        '#ttl': 'ttl',
      },
      ExpressionAttributeValues: {
        ':description': next.description,
        ':next': next.version,
        ':read': read.version,
        ':createdAt': next.createdAt,
        ':at': next.updatedAt,
      },
    },
  } as const;
}

/** Marks the role as deleted; the mark keeps the name from being defined at once, and leaves by itself after a day. */
export function buryRoleEntry(read: Role, at: string) {
  return {
    Update: {
      TableName: config.tableName,
      Key: roleKey(read.appId, read.role),
      UpdateExpression: 'SET #deleting = :true, #version = :next, #updatedAt = :at, #ttl = :ttl',
      ConditionExpression: '#version = :read',
      ExpressionAttributeNames: {
        '#deleting': 'deleting',
        '#version': 'version',
        '#updatedAt': 'updatedAt',
        '#ttl': 'ttl',
      },
      ExpressionAttributeValues: {
        ':true': true,
        ':next': read.version + 1,
        ':read': read.version,
        ':at': at,
        ':ttl': epochSeconds(at) + secondsPerDay,
      },
    },
  } as const;
}
