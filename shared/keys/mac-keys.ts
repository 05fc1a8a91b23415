import type { KeyObject } from 'node:crypto';
import { createMacKey } from '#shared/signature/compute-mac.ts';
import { deriveSecret } from './derive-secret.ts';
import type { KeyIdParts } from './key-id.ts';
import { rootKey } from './root-keys.ts';

const capacity = 1000;
const remembered = new Map<string, KeyObject>();

/** The MAC key of a key id, undefined when its root version does not exist. Reads no table. */
export async function macKey(key: KeyIdParts): Promise<KeyObject | undefined> {
  const known = remembered.get(key.keyId);
  if (known !== undefined) return known;
  const root = await rootKey(key.rootVersion);
  return root && createMacKey(deriveSecret(root, key.keyId));
}

/** Keeps a MAC key for the next request. Only after a valid MAC: else guessed key ids would push out the real ones. */
export function rememberMacKey(keyId: string, key: KeyObject): void {
  if (remembered.has(keyId)) return;
  if (remembered.size >= capacity) remembered.delete(remembered.keys().next().value ?? '');
  remembered.set(keyId, key);
}
