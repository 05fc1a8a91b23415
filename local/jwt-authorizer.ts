import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as v from 'valibot';
import { forbidden, type HttpAnswer, invalidToken, unauthorized } from './http-result.ts';
import type { AuthorizerModel, RouteModel } from './read-stack.ts';

/** "Currently, only RSA-based algorithms are supported" (API Gateway guide, as below). */
const algorithms = ['RS256', 'RS384', 'RS512'];

/** The result of the authorizer, which the function finds in `requestContext.authorizer.jwt`. */
export interface JwtIdentity {
  readonly claims: Readonly<Record<string, string>>;
  /** The token's scopes if the route requires any, otherwise null. */
  readonly scopes: readonly string[] | null;
}

/** Authorizes a request for a protected route, or returns the 401 or 403 answer. */
export type JwtAuthorizer = (route: RouteModel, headers: NodeJS.Dict<string[]>) => Promise<JwtIdentity | HttpAnswer>;

/**
 * Verifies tokens as the JWT authorizer of an HTTP API does: signature, `iss`, `aud` (or `client_id` if absent), `exp`,
 * `nbf`, `iat`, and one of the route's scopes (API Gateway guide, "Control access to HTTP APIs with JWT authorizers"
 * and "Troubleshooting issues with HTTP API JWT authorizers"). A route with any other authorizer answers 401.
 */
export function createJwtAuthorizer({ localIssuer }: { readonly localIssuer?: string | undefined }): JwtAuthorizer {
  const keysOf = cacheIssuerKeys();
  return async ({ authorizer }, headers) => {
    const token = headers.authorization?.join(',').replace(/^Bearer /i, '');
    const issuer = authorizer?.issuer ?? localIssuer;
    if (token === undefined || authorizer === undefined || issuer === undefined) return unauthorized;
    try {
      const claims = await verify(token, { ...authorizer, issuer }, keysOf);
      return identify(claims, authorizer);
    } catch (error) {
      return invalidToken(describe(error));
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
 * Renders every value as text: a list in brackets separated by spaces, an object as JSON; null is omitted (captured on
 * AWS, floci-io/floci#2011).
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

/**
 * The description in `www-authenticate`. AWS documents only the one for the audience; the others follow its pattern.
 */
function describe(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `the token does not have a valid ${error.claim}`;
  return 'the token is not valid';
}

// The first request loads the development login and creates its key, which takes seconds on a busy machine.
const timeoutMs = 20_000;
const discoverySchema = v.object({ jwks_uri: v.string() });

/** Fetches the keys of an issuer; rejects on failure. */
type IssuerKeys = (issuer: string) => Promise<JWTVerifyGetKey>;

/** Finds the keys of each issuer once, by OpenID Connect Discovery 1.0, section 4. */
function cacheIssuerKeys(): IssuerKeys {
  const found = new Map<string, Promise<JWTVerifyGetKey>>();
  return (issuer) => {
    const keys = found.get(issuer) ?? discover(issuer);
    found.set(issuer, keys);
    // A failure is not cached: the issuer may answer next time.
    keys.catch(() => found.delete(issuer));
    return keys;
  };
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  const { jwks_uri } = v.parse(discoverySchema, await answer.json());
  const keys = createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: timeoutMs });
  return async (header, token) => {
    // "The token must have a header claim that matches the key" (API Gateway guide, on `kid`).
    if (header.kid === undefined) throw new errors.JWKSNoMatchingKey();
    return await keys(header, token);
  };
}
