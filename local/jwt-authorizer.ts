import { errors, type JWTPayload, jwtVerify } from 'jose';
import { forbidden, type HttpAnswer, refuseToken, unauthorized } from './http-result.ts';
import { type IssuerKeys, rememberIssuerKeys } from './issuer-keys.ts';
import type { AuthorizerModel, RouteModel } from './read-stack.ts';

/** "Currently, only RSA-based algorithms are supported" (API Gateway guide, as below). */
const algorithms = ['RS256', 'RS384', 'RS512'];

/** What the authorizer hands on to the function, in `requestContext.authorizer.jwt`. */
export interface JwtIdentity {
  readonly claims: Readonly<Record<string, string>>;
  /** The token's scopes if the route asks for any, else null. */
  readonly scopes: readonly string[] | null;
}

/** Whose request for a protected route this is, or the answer that refuses it. */
export type JwtAuthorizer = (route: RouteModel, headers: NodeJS.Dict<string[]>) => Promise<JwtIdentity | HttpAnswer>;

/**
 * Verifies tokens as the JWT authorizer of an HTTP API does: signature, `iss`, `aud` or in its absence `client_id`, `exp`,
 * `nbf`, `iat`, and one of the route's scopes (API Gateway guide, "Control access to HTTP APIs with JWT authorizers" and
 * "Troubleshooting issues with HTTP API JWT authorizers"). A route that needs any other authorizer stays closed.
 */
export function createJwtAuthorizer({ localIssuer }: { readonly localIssuer?: string | undefined }): JwtAuthorizer {
  const keysOf = rememberIssuerKeys();
  return async ({ authorizer }, headers) => {
    const token = headers.authorization?.join(',').replace(/^Bearer /i, '');
    const issuer = authorizer?.issuer ?? localIssuer;
    if (token === undefined || authorizer === undefined || issuer === undefined) return unauthorized;
    try {
      const claims = await verify(token, { ...authorizer, issuer }, keysOf);
      return identify(claims, authorizer);
    } catch (error) {
      return refuseToken(describe(error));
    }
  };
}

async function verify(
  token: string,
  { issuer, audience }: AuthorizerModel & { readonly issuer: string },
  keysOf: IssuerKeys,
): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, await keysOf(issuer), { algorithms, issuer, requiredClaims: ['exp'] });
  const named = [payload.aud ?? payload.client_id].flat();
  if (!named.some((name) => typeof name === 'string' && audience.includes(name)))
    throw invalidClaim(payload, 'audience');
  if (payload.iat !== undefined && !(payload.iat <= Date.now() / 1000)) throw invalidClaim(payload, 'iat');
  return payload;
}

function identify(claims: JWTPayload, { scopes }: AuthorizerModel): JwtIdentity | HttpAnswer {
  const granted = [claims.scope ?? claims.scp ?? []].flat().flatMap((text) => String(text).split(' '));
  if (scopes.length > 0 && !scopes.some((scope) => granted.includes(scope))) return forbidden;
  return { claims: renderClaims(claims), scopes: scopes.length > 0 ? granted : null };
}

/**
 * Every value as text: a list in brackets with spaces, an object as JSON, and no member for null (captured on AWS,
 * floci-io/floci#2011).
 */
function renderClaims(claims: JWTPayload): Record<string, string> {
  const present = Object.entries(claims).filter(([, value]) => value !== null);
  return Object.fromEntries(present.map(([name, value]) => [name, renderClaim(value)]));
}

function renderClaim(value: unknown): string {
  if (Array.isArray(value)) return `[${value.join(' ')}]`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function invalidClaim(payload: JWTPayload, claim: string): Error {
  return new errors.JWTClaimValidationFailed(`invalid ${claim}`, payload, claim);
}

/** For `www-authenticate`. Of its descriptions AWS documents only that of the audience; the others are made after it. */
function describe(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `the token does not have a valid ${error.claim}`;
  return 'the token is not valid';
}
