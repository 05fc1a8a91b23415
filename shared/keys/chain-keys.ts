import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { historyRoots } from '#shared/contract/root-purposes.ts';
import type { ChainKey } from '#shared/integrity/change-mac.ts';
import { latestRootVersion, rootFor } from './root-keys.ts';

const keys = new Map<string, KeyObject>();

/** The key that chains new Changes, derived from the latest root. Reads no table; fails with 503 like `rootKey`. */
export async function latestChainKey(): Promise<ChainKey> {
  const root = latestRootVersion(historyRoots);
  const key = await chainKey(root);
  if (key === undefined) throw new Error(`ROOT_KEYS does not list ${root}`);
  return { root, key };
}

/** The key of Changes chained under this root version; undefined if the version does not exist, or is for another purpose. */
export async function chainKey(version: string): Promise<KeyObject | undefined> {
  const known = keys.get(version);
  if (known !== undefined) return known;
  const root = await rootFor(historyRoots, version);
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
