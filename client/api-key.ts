import { secretPattern } from '#shared/contract/id-patterns.ts';
import { encodeText } from './encode-text.ts';

/** An API key, as it was issued. */
export interface ApiKey {
  /** `svk_…` */
  readonly keyId: string;
  /** `svs_…`, or the WebCrypto key (HMAC with SHA-256, usage `sign`) of its bytes. */
  readonly secret: string | SigningKey;
}

/** An API key whose secret is read, or being read. */
export type ImportedKey = Omit<ApiKey, 'secret'> & { readonly secret: ApiKey['secret'] | Promise<SigningKey> };

/** A `CryptoKey`, by whatever name the platform's types know it. */
export type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Makes a key of a secret that signs and cannot be read back; what is no secret is refused, and never shown. */
export function importSecret(secret: ImportedKey['secret']): Exclude<ImportedKey['secret'], string> {
  if (typeof secret !== 'string') return secret;
  if (!secretPattern.test(secret)) throw new TypeError('secret must be svs_...');
  return crypto.subtle.importKey('raw', encodeText(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** Refuses what is no key id: it is sent, and a secret in its place would be too. */
export function requireKeyId(keyId: string): void {
  if (!/^svk_[\w-]+$/.test(keyId)) throw new TypeError('keyId must be svk_...');
}
