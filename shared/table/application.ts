import type { AppId } from '#shared/contract/ids.ts';
import type { Scope } from '#shared/contract/routes.ts';
import { config } from '#shared/core/config.ts';
import { type Item, putNewEntry, readItems } from './client.ts';
import { applicationIndexKey, applicationKey, type Key } from './keys.ts';

/** What is known of an API key; its secret is nowhere. */
export interface KeyState {
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

export interface Application {
  readonly appId: AppId;
  readonly name: string;
  /** By key id. */
  readonly keys: Readonly<Record<string, KeyState>>;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The application of an item; one that is being erased, or whose id is only reserved, is no longer there. */
export function applicationOf(item: Item | undefined): Application | undefined {
  if (item === undefined || item.deleting === true) return undefined;
  return item as unknown as Application;
}

/** Reads one application, strongly consistent. */
export async function readApplication(appId: AppId): Promise<Application | undefined> {
  const [item] = await readItems([applicationKey(appId)]);
  return applicationOf(item);
}

/** Creates the application, once. */
export function createApplicationEntry(application: Application) {
  const { appId } = application;
  const item: Item & Key = { ...applicationKey(appId), ...applicationIndexKey(appId), ...application };
  return putNewEntry(item);
}

/** Replaces the application's keys, if it is still the version that was read. */
export function setKeysEntry(read: Application, keys: Application['keys'], at: string) {
  return {
    Update: {
      TableName: config.tableName,
      Key: applicationKey(read.appId),
      UpdateExpression: 'SET #keys = :keys, #version = :next, #updatedAt = :at',
      ConditionExpression: '#version = :read AND attribute_not_exists(#deleting)',
      ExpressionAttributeNames: {
        '#keys': 'keys',
        '#version': 'version',
        '#updatedAt': 'updatedAt',
        '#deleting': 'deleting',
      },
      ExpressionAttributeValues: { ':keys': keys, ':next': read.version + 1, ':read': read.version, ':at': at },
    },
  } as const;
}
