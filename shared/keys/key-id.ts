import { keyIdPattern } from '#shared/contract/id-patterns.ts';
import type { AppId, KeyId } from '#shared/contract/ids.ts';

export interface KeyIdParts {
  readonly keyId: KeyId;
  /** Which root the secret is derived from, such as `k1`. */
  readonly rootVersion: string;
  readonly appId: AppId;
}

/** Reads `svk_<root version>_<appId>_<ULID>`; undefined for anything else. */
export function parseKeyId(text: string): KeyIdParts | undefined {
  const [, rootVersion, appId] = keyIdPattern.exec(text) ?? [];
  if (rootVersion === undefined || appId === undefined) return undefined;
  return { keyId: text as KeyId, rootVersion, appId: appId as AppId };
}

/** The id of a new key; it carries the application, so a valid MAC authenticates it before any read. */
export function formatKeyId(rootVersion: string, appId: AppId, ulid: string): KeyId {
  return `svk_${rootVersion}_${appId}_${ulid}` as KeyId;
}
