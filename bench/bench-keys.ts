import './environment.ts';
import { createSecretKey } from 'node:crypto';
import type { AppId, KeyId } from '#shared/contract/fields.ts';
import { createUlid } from '#shared/core/ids.ts';
import { deriveSecret, formatKeyId } from '#shared/keys/key-id.ts';

/** A key of this run, derived as the service derives it. */
export interface BenchKey {
  readonly keyId: KeyId;
  readonly secret: string;
}

const root = createSecretKey(Buffer.from((process.env.ROOT_KEYS ?? '').replace('k1=local:', ''), 'base64'));

/** A new key of an application; it opens nothing before the application's item names it. */
export function createBenchKey(appId: AppId, at = new Date()): BenchKey {
  const keyId = formatKeyId('k1', appId, createUlid(at));
  return { keyId, secret: deriveSecret(root, keyId) };
}
