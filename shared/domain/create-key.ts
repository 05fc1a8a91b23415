import type { AppId, KeyId } from '#shared/contract/ids.ts';
import { now } from '#shared/core/clock.ts';
import { createUlid } from '#shared/core/ids.ts';
import { deriveSecret, formatKeyId } from '#shared/keys/key-id.ts';
import { latestRootVersion, rootKey } from '#shared/keys/root-keys.ts';

export interface CreatedKey {
  readonly keyId: KeyId;
  /** Derived from the key id, and stored nowhere. */
  readonly secret: string;
  readonly createdAt: string;
}

/** Makes a key id of the latest root version and derives its secret; the key is worth nothing before the application has it. */
export async function createKey(appId: AppId): Promise<CreatedKey> {
  const root = await rootKey(latestRootVersion);
  if (root === undefined) throw new Error('ROOT_KEYS has no latest version');
  const at = now();
  const keyId = formatKeyId(latestRootVersion, appId, createUlid(at));
  return { keyId, secret: deriveSecret(root, keyId), createdAt: at.toISOString() };
}
