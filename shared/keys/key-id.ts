import { hkdfSync, type KeyObject } from 'node:crypto';
import type { AppId, KeyId } from '#shared/contract/fields.ts';
import { type Algorithm, keyIdEnd } from '#shared/signature/algorithm.ts';

export interface KeyIdParts {
  readonly keyId: KeyId;
  /** The root that the secret is derived from, such as `k1`. */
  readonly rootVersion: string;
  readonly appId: AppId;
}

/** Captures root version and application. */
const keyIdPattern = new RegExp(`^svk_(k[1-9]\\d{0,3})_([a-z][a-z0-9-]{1,39})_[0-7][0-9A-HJKMNP-TV-Z]{25}${keyIdEnd}`);

/** Parses `svk_<root version>_<appId>_<ULID>` and the suffix of its algorithm; undefined for anything else. */
export function parseKeyId(text: string): KeyIdParts | undefined {
  const [, rootVersion, appId] = keyIdPattern.exec(text) ?? [];
  if (!rootVersion || !appId) return undefined;
  return { keyId: text as KeyId, rootVersion, appId: appId as AppId };
}

export interface NewKeyId {
  readonly rootVersion: string;
  readonly appId: AppId;
  readonly ulid: string;
  /** Default: the algorithm of ids without a suffix. */
  readonly algorithm?: Algorithm | undefined;
}

/** Formats the id of a new key; it names the application, so a valid MAC authenticates the application before any read. */
export function formatKeyId({ rootVersion, appId, ulid, algorithm }: NewKeyId): KeyId {
  return `svk_${rootVersion}_${appId}_${ulid}${algorithm?.keyIdSuffix ?? ''}` as KeyId;
}

/**
 * Derives the secret of a key: `svs_` and 43 characters of base64url, from HKDF-SHA256 (RFC 5869) over the root and the
 * key id. Its ASCII text is the MAC key, so that `openssl dgst -hmac "$SECRET"` works.
 */
export function deriveSecret(root: KeyObject, keyId: KeyId): string {
  const bytes = hkdfSync('sha256', root, '', `auth-service/api-key/${keyId}`, 32);
  return `svs_${Buffer.from(bytes).toString('base64url')}`;
}
