import { secretPattern } from './service-contract.ts';

/** An API key, as it was issued. */
export interface ApiKey {
  /** `svk_…` */
  readonly keyId: string;
  /** `svs_…`, or the WebCrypto key (HMAC with SHA-256, usage `sign`) of its bytes. */
  readonly secret: string | SigningKey;
}

/** An API key whose secret is imported already, or is being imported. */
export type ImportedKey = Omit<ApiKey, 'secret'> & { readonly secret: ApiKey['secret'] | Promise<SigningKey> };

/** A `CryptoKey`, under the name that the platform's types give it. */
export type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Imports a secret as a key that signs and cannot be read back; refuses text that is not a secret, without showing it. */
export function importSecret(secret: ImportedKey['secret']): Exclude<ImportedKey['secret'], string> {
  if (typeof secret !== 'string') return secret;
  if (!secretPattern.test(secret)) throw new TypeError('secret must be svs_...');
  return crypto.subtle.importKey('raw', encodeText(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** Refuses text that is not a key id: it is sent with each request, and a secret in its place would be sent too. */
export function requireKeyId(keyId: string): void {
  if (!/^svk_[\w-]+$/.test(keyId)) throw new TypeError('keyId must be svk_...');
}

/** Encodes a text in UTF-8. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
