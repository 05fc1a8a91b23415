import { secretPattern } from './service-contract.ts';

/** An API key, as it was issued. */
export interface ApiKey {
  /** `svk_…` */
  readonly keyId: string;
  /** `svs_…`, or the WebCrypto key (HMAC with SHA-256, usage `sign`) of its bytes. */
  readonly secret: string | SigningKey;
}

/** A key, or what gives the current one for each call, so that it can be rotated while the application runs. */
export type KeySource = ApiKey | (() => ApiKey | Promise<ApiKey>);

/** An API key whose secret is imported already, or is being imported. */
export interface ImportedKey {
  readonly keyId: string;
  readonly secret: SigningKey | Promise<SigningKey>;
}

/** A `CryptoKey`, under the name that the platform's types give it. */
export type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Returns what gives the key of a call; a key that stays the same is imported once. */
export function createKeyReader(source: KeySource): () => ImportedKey | Promise<ImportedKey> {
  if (typeof source === 'function') return async () => importKey(await source());
  const key = importKey(source);
  return () => key;
}

/**
 * Imports the secret of a key as one that signs and cannot be read back. Refuses text that is not a key id, because it is
 * sent, and a secret in its place would be sent too; and text that is not a secret, without showing it.
 */
export function importKey({ keyId, secret }: ApiKey): ImportedKey {
  if (!/^svk_[\w-]+$/.test(keyId)) throw new TypeError('keyId must be svk_...');
  if (typeof secret !== 'string') return { keyId, secret };
  if (!secretPattern.test(secret)) throw new TypeError('secret must be svs_...');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return { keyId, secret: crypto.subtle.importKey('raw', encodeText(secret), algorithm, false, ['sign']) };
}

/** Encodes a text in UTF-8. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
