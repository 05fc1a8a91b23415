import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { historyRoots } from '#shared/contract/root-purposes.ts';
import type { SigningKey } from '#shared/integrity/change-signature.ts';
import { latestRootVersion, rootKey, rootVersionsFor } from './root-keys.ts';

const keys = new Map<string, KeyObject>();

/** The key that signs changes, derived from the latest root. Fails with 503 like `rootKey`. */
export async function latestSigningKey(): Promise<SigningKey> {
  const root = latestRootVersion(historyRoots);
  return { root, key: await signingKey(root) };
}

/** A public key as a JWK (RFC 7517, RFC 8037). */
export interface PublicSigningKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** The public keys of all roots of histories, oldest first. Reads no table; fails with 503 like `rootKey`. */
export async function publicSigningKeys(): Promise<PublicSigningKey[]> {
  return Promise.all(
    rootVersionsFor(historyRoots).map(async (kid): Promise<PublicSigningKey> => {
      const { x = '' } = createPublicKey(await signingKey(kid)).export({ format: 'jwk' });
      return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
    }),
  );
}

async function signingKey(version: string): Promise<KeyObject> {
  const known = keys.get(version);
  if (known !== undefined) return known;
  const root = await rootKey(version);
  if (root === undefined) throw new Error(`ROOT_KEYS does not list ${version}`);
  const key = deriveSigningKey(root);
  keys.set(version, key);
  return key;
}

/** The beginning of an Ed25519 key in PKCS #8, before its seed (RFC 8410 section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * HKDF-SHA256 (RFC 5869) over the root gives the 32 bytes of the seed (RFC 8032 section 5.1.5). The info string is that of no
 * other key; the number is the version of what is signed.
 */
export function deriveSigningKey(root: KeyObject): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', root, '', 'auth-service/change-signature/1', 32));
  return createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
}
