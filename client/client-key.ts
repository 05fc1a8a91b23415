import { algorithmOf, keyIdEnd } from '#shared/signature/algorithm.ts';
import { SignatureError } from './client-error.ts';
import { type OptionRules, readValues } from './read-options.ts';
import { secretPattern } from './service-contract.ts';

/** An API key, as issued. */
export interface ApiKey {
  /** `svk_…` */
  readonly keyId: string;
  /** `svs_…`, or the WebCrypto key of its bytes: HMAC, with SHA-256 unless the id states another algorithm, usage `sign`. */
  readonly secret: string | SigningKey;
}

/** A key, or a function that returns the current key for each call, so that it can be rotated while the application runs. */
export type KeySource = ApiKey | (() => ApiKey | Promise<ApiKey>);

/** An API key with its imported secret, or a promise of it. */
export interface ImportedKey {
  readonly keyId: string;
  readonly secret: SigningKey | Promise<SigningKey>;
}

/** A `CryptoKey` in the types of the platform. */
export type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The rules for the members of a key. The id is sent, so a secret must not be accepted in its place. */
export const keyRules: OptionRules = {
  keyId: ['svk_...', (keyId) => keyIdPattern.test(`${keyId}`), true],
  secret: ["svs_..., or its CryptoKey to sign by HMAC with the hash of the key's algorithm", isSecret, true],
};

const keyIdPattern = new RegExp(`^svk_[^\\W_]+_[a-z\\d-]+_[^\\W_]+${keyIdEnd}`);

function isSecret(secret: unknown, { keyId }: Readonly<Record<string, unknown>>): boolean {
  if (typeof secret === 'string') return secretPattern.test(secret);
  const { algorithm, usages } = Object(secret);
  return algorithm?.name === 'HMAC' && algorithm.hash.name === algorithmOf(`${keyId}`).hash && usages.includes('sign');
}

/** Returns a function that provides the key of a call; an unchanged key is imported only once. */
export function createKeyReader(source: KeySource): () => ImportedKey | Promise<ImportedKey> {
  if (typeof source === 'function') return async () => importIssued(await source());
  const key = importKey(source);
  return () => key;
}

/** An invalid key is not retried, unlike a missing response. */
function importIssued(key: ApiKey): ImportedKey {
  try {
    return importKey(key);
  } catch (cause) {
    throw new SignatureError({ code: 'key_invalid', detail: (cause as Error).message, cause });
  }
}

/** Imports the secret of a key for signing only, not extractable. Throws a TypeError for an invalid key. */
export function importKey(key: ApiKey): ImportedKey {
  const { keyId, secret } = readValues('the API key', key, keyRules);
  if (typeof secret !== 'string') return { keyId, secret };
  const algorithm = { name: 'HMAC', hash: algorithmOf(keyId).hash };
  return { keyId, secret: crypto.subtle.importKey('raw', encodeText(secret), algorithm, false, ['sign']) };
}

/** Encodes a text in UTF-8. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
