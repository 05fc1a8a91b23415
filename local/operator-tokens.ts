import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** The operators that the login page offers, one of each kind. Any other name can be typed and logs in as a viewer. */
export const operators = [
  { id: 'edith', name: 'Edith Clarke', group: 'admin' },
  { id: 'katherine', name: 'Katherine Johnson', group: 'support' },
  { id: 'mary', name: 'Mary Jackson', group: 'support:billing' },
  { id: 'dorothy', name: 'Dorothy Vaughan', group: 'viewer' },
] as const;

/** Builds an operator's claims from the name alone. */
export function describeOperator(id: string) {
  const name = operators.find((operator) => operator.id === id)?.name ?? id;
  return { sub: id, name, email: `${id}@example.com`, email_verified: true };
}

/**
 * Builds an operator's access token claims other than `sub`; without a group, the groups claim is omitted, as in
 * Cognito.
 */
export function tokenClaimsOf(id: string) {
  const group = operators.find((operator) => operator.id === id)?.group;
  const { email } = describeOperator(id);
  return { email, ...(group && { 'cognito:groups': [group] }) };
}

/** Whether a text is a valid operator name. */
export function isOperatorId(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text);
}

/** The lifetime of a token, as in the stack's user pool (`lib/operators/operator-login.ts`). */
export const tokenSeconds = 15 * 60;

/** A key pair that signs tokens with RS256. */
export interface TokenKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly privateJwk: JWK;
  readonly publicKey: CryptoKey;
}

/** Creates a key pair that exists only in this process; its tokens become invalid when the process exits. */
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

/** The claims of a token; any value is allowed, so that tests can create invalid tokens. */
export type Claims = Readonly<Record<string, unknown>>;

/** Mints a token with exactly these claims, valid or not; a claim set to `undefined` is omitted. */
export async function mintToken({ kid, privateKey }: TokenKey, claims: Claims): Promise<string> {
  return await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid }).sign(privateKey);
}
