import { secretPattern } from './service-contract.ts';

/** An API key, as it was issued. */
export interface ApiKey {
  /** `svk_…` */
  readonly keyId: string;
  /** `svs_…`, or the WebCrypto key (HMAC with SHA-256, usage `sign`) of its bytes. */
  readonly secret: string | SigningKey;
}

/** An API key whose secret is imported already, or is being imported. */
export interface ImportedKey {
  readonly keyId: string;
  readonly secret: SigningKey | Promise<SigningKey>;
}

/** A `CryptoKey`, under the name that the platform's types give it. */
export type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Imports the secret of a key. Refuses text that is not a key id: it is sent, and a secret in its place would be sent too. */
export function importKey({ keyId, secret }: ApiKey): ImportedKey {
  if (!/^svk_[\w-]+$/.test(keyId)) throw new TypeError('keyId must be svk_...');
  return { keyId, secret: typeof secret === 'string' ? importSecret(secret) : secret };
}

/** Imports a secret as a key that signs and cannot be read back; refuses text that is not a secret, without showing it. */
function importSecret(secret: string): Promise<SigningKey> {
  if (!secretPattern.test(secret)) throw new TypeError('secret must be svs_...');
  return crypto.subtle.importKey('raw', encodeText(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** Encodes a text in UTF-8. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
