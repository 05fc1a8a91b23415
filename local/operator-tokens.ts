import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** The operators that the login page offers, one of each kind. Any other name can be typed, and is that of a viewer. */
export const operators = [
  { id: 'edith', name: 'Edith Clarke', group: 'admin' },
  { id: 'katherine', name: 'Katherine Johnson', group: 'support' },
  { id: 'mary', name: 'Mary Jackson', group: 'support:billing' },
  { id: 'dorothy', name: 'Dorothy Vaughan', group: 'viewer' },
] as const;

/** The claims of an operator, who needs nothing but a name. */
export function describeOperator(id: string) {
  const name = operators.find((operator) => operator.id === id)?.name ?? id;
  return { sub: id, name, email: `${id}@example.com`, email_verified: true };
}

/** What an access token says of an operator beside the `sub`; without a group, as Cognito does it, nothing of groups. */
export function tokenClaimsOf(id: string) {
  const group = operators.find((operator) => operator.id === id)?.group;
  const { email } = describeOperator(id);
  return { email, ...(group && { 'cognito:groups': [group] }) };
}

/** Whether a text can be the name of an operator. */
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

/** A new key pair, which exists only in this process; its tokens become invalid when the process ends. */
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

/** A token with exactly these claims, valid or not; a claim that is `undefined` is left out. */
export async function mintToken({ kid, privateKey }: TokenKey, claims: Claims): Promise<string> {
  return await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid }).sign(privateKey);
}
