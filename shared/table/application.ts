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

/** An application as it stands in the table, also when it is being erased or its id is only reserved. */
export interface ApplicationItem extends Application {
  readonly deleting?: boolean;
}

/** The application of an item; one that is being erased, or whose id is only reserved, is no longer there. */
export function applicationOf(item: Item | undefined): Application | undefined {
  const application = item as ApplicationItem | undefined;
  return application?.deleting === true ? undefined : application;
}

/** Reads one application, strongly consistent. */
export async function readApplication(appId: AppId): Promise<Application | undefined> {
  return applicationOf(await readApplicationItem(appId));
}

/** The same, whatever has become of it. */
export async function readApplicationItem(appId: AppId): Promise<(ApplicationItem & Item) | undefined> {
  const [item] = await readItems([applicationKey(appId)]);
  return item as (ApplicationItem & Item) | undefined;
}

/** Creates the application, once. */
export function createApplicationEntry(application: Application) {
  const { appId } = application;
  const item: Item & Key = { ...applicationKey(appId), ...applicationIndexKey(appId), ...application };
  return putNewEntry(item);
}

/** Writes the next version of an application, if it is still the version that was read. */
export function updateApplicationEntry(read: Application, next: Application) {
  return {
    Update: {
      TableName: config.tableName,
      Key: applicationKey(read.appId),
      UpdateExpression: 'SET #name = :name, #keys = :keys, #version = :next, #updatedAt = :at',
      ConditionExpression: '#version = :read AND attribute_not_exists(#deleting)',
      ExpressionAttributeNames: {
        '#name': 'name',
        '#keys': 'keys',
        '#version': 'version',
        '#updatedAt': 'updatedAt',
        '#deleting': 'deleting',
      },
      ExpressionAttributeValues: {
        ':name': next.name,
        ':keys': next.keys,
        ':next': next.version,
        ':read': read.version,
        ':at': next.updatedAt,
      },
    },
  } as const;
}

/** Turns the application into a tombstone: out of every list, without keys, its id taken for good. */
export function buryApplicationEntry(read: Application, at: string) {
  return {
    Update: {
      TableName: config.tableName,
      Key: applicationKey(read.appId),
      UpdateExpression:
        'SET #deleting = :true, #keys = :none, #version = :next, #updatedAt = :at REMOVE #gsi1pk, #gsi1sk',
      ConditionExpression: '#version = :read AND attribute_not_exists(#deleting)',
      ExpressionAttributeNames: {
        '#deleting': 'deleting',
        '#keys': 'keys',
        '#version': 'version',
        '#updatedAt': 'updatedAt',
        '#gsi1pk': 'gsi1pk',
        '#gsi1sk': 'gsi1sk',
      },
      ExpressionAttributeValues: {
        ':true': true,
        ':none': {},
        ':next': read.version + 1,
        ':read': read.version,
        ':at': at,
      },
    },
  } as const;
}
