import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { ChainKey } from '#shared/integrity/change-mac.ts';
import { latestRootVersion, rootKey } from './root-keys.ts';

const keys = new Map<string, KeyObject>();

/** The key that chains new Changes, derived from the latest root. Reads no table; fails with 503 like `rootKey`. */
export async function latestChainKey(): Promise<ChainKey> {
  const key = await chainKey(latestRootVersion);
  if (key === undefined) throw new Error('ROOT_KEYS lists no root');
  return { root: latestRootVersion, key };
}

/** The key of Changes chained under this root version; undefined if the version does not exist. */
export async function chainKey(version: string): Promise<KeyObject | undefined> {
  const known = keys.get(version);
  if (known !== undefined) return known;
  const root = await rootKey(version);
  if (root === undefined) return undefined;
  const key = deriveChainKey(root);
  keys.set(version, key);
  return key;
}

/**
 * HKDF-SHA256 (RFC 5869) over the root, with an info string that no API key uses; the number is the version of the
 * encoding.
 */
export function deriveChainKey(root: KeyObject): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', root, '', 'auth-service/change-chain/1', 32)));
}
