import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** How long a token is good, as in the stack's own user pool (`lib/operator-login.ts`). */
export const tokenSeconds = 15 * 60;

/** A key that signs tokens with RS256, and what is published of it. */
export interface TokenKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly privateJwk: JWK;
  readonly publicKey: CryptoKey;
}

/** A new key, which nothing but this process ever holds: with it go the tokens that it signed. */
export async function createTokenKey(): Promise<TokenKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = randomUUID();
  return {
    kid,
    privateKey,
    privateJwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' },
    publicKey,
  };
}

/** What a token says: anything, so that it can be wrong. */
export type Claims = Readonly<Record<string, unknown>>;

/** A token with exactly these claims, valid or not; one that is `undefined` is left out. */
export async function mintToken({ kid, privateKey }: TokenKey, claims: Claims): Promise<string> {
  return await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid }).sign(privateKey);
}
