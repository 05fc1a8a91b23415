import type { AppId, ConnectionId } from '#shared/contract/fields.ts';
import type { Key, Range } from '../key.ts';

/** What has API keys. */
export type KeyOwner = { readonly appId: AppId } | { readonly connectionId: ConnectionId };

/** The day on which a key was last used; the uses of the keys of an application or a connection are a range of its partition. */
export const keyUseKey = (owner: KeyOwner, keyId: string): Key => ({
  pk: 'appId' in owner ? `APP#${owner.appId}` : `CONNECTION#${owner.connectionId}`,
  sk: `KEYUSE#${keyId}`,
});

/** The uses of the keys of an application. */
export const keyUsesRange = (appId: AppId): Range => ({ pk: `APP#${appId}`, prefix: 'KEYUSE#' });
