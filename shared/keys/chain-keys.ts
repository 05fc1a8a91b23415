import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { ChainKey } from '#shared/integrity/change-mac.ts';
import { latestRootVersion, rootKey } from './root-keys.ts';

const keys = new Map<string, KeyObject>();

/** The key by which Changes are chained from now on: that of the latest root. Reads no table; 503 as `rootKey`. */
export async function latestChainKey(): Promise<ChainKey> {
  const key = await chainKey(latestRootVersion);
  if (key === undefined) throw new Error('ROOT_KEYS lists no root');
  return { root: latestRootVersion, key };
}

/** The key of Changes that were chained under this version of the root, undefined when it does not exist. */
export async function chainKey(version: string): Promise<KeyObject | undefined> {
  const known = keys.get(version);
  if (known !== undefined) return known;
  const root = await rootKey(version);
  if (root === undefined) return undefined;
  const key = deriveChainKey(root);
  keys.set(version, key);
  return key;
}

/** HKDF-SHA256 (RFC 5869) over the root, with a purpose that no API key has; the number is that of the encoding. */
export function deriveChainKey(root: KeyObject): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', root, '', 'auth-service/change-chain/1', 32)));
}
