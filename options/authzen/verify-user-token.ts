import { createRemoteJWKSet, decodeJwt, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';

/** The issuer that vouches for the users of a connection, and whom its tokens must be meant for. */
export interface UserTokenRules {
  readonly issuer: string;
  readonly audience: string;
}

/** Signatures only: a MAC would need a secret that somebody shares with the issuer. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** The types of ID tokens and access tokens (RFC 7519 section 5.1, RFC 9068 section 2.1). Many issuers set none. */
const types = ['jwt', 'at+jwt'];
const clockToleranceSeconds = 5;
const timeoutMilliseconds = 2000;
const maxIssuers = 100;

/** The subject that a JWT claims, which nobody has verified yet; undefined if it has none. */
export function claimedSubject(token: string): string | undefined {
  try {
    return decodeJwt(token).sub;
  } catch {
    return undefined;
  }
}

/**
 * The subject of an ID or access token that the issuer has signed for the audience, and that is valid now; undefined for any
 * other JWT. 503 if the issuer's keys cannot be read.
 */
export async function verifiedSubject(
  token: string,
  { issuer, audience }: UserTokenRules,
): Promise<string | undefined> {
  const keys = await keysOf(issuer);
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms,
      clockTolerance: clockToleranceSeconds,
      currentDate: now(),
      requiredClaims: ['sub', 'exp'],
    });
    return hasTypeOfUserToken(protectedHeader) ? payload.sub : undefined;
  } catch (error) {
    if (isOfToken(error)) return undefined;
    throw unreachable(issuer, error);
  }
}

/**
 * Whether a token is one that identifies a user: the issuer signs others with the same key, such as logout tokens, whose subject
 * did not send them (RFC 8725 section 3.11). A type has no case, and is below `application/` (RFC 7515 section 4.1.9).
 */
function hasTypeOfUserToken({ typ }: { readonly typ?: unknown }): boolean {
  return (
    typ === undefined || (typeof typ === 'string' && types.includes(typ.toLowerCase().replace(/^application\//, '')))
  );
}

/** Whether the token is at fault, and not that the issuer's keys could not be read. */
function isOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC'
  );
}

const knownKeys = new Map<string, Promise<JWTVerifyGetKey>>();

/** The published keys of an issuer, found by OpenID Connect Discovery; kept, and read again when a token names another key. */
function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
  const known = knownKeys.get(issuer);
  if (known !== undefined) return known;
  if (knownKeys.size >= maxIssuers) knownKeys.clear();
  const keys = discover(issuer);
  knownKeys.set(issuer, keys);
  keys.catch(() => knownKeys.delete(issuer));
  return keys;
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  try {
    const answer = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const found = (await answer.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown };
    if (found.issuer !== issuer) throw new Error('it names another issuer');
    const url = new URL(String(found.jwks_uri));
    // An issuer on this machine may be asked over http, and then has its own keys.
    const isOwn = url.origin === new URL(issuer).origin;
    if (url.protocol !== 'https:' && !isOwn) throw new Error('its keys are not at an https URL');
    return createRemoteJWKSet(url, { timeoutDuration: timeoutMilliseconds });
  } catch (cause) {
    throw unreachable(issuer, cause);
  }
}

function unreachable(issuer: string, cause: unknown): ServiceError {
  return new ServiceError('unavailable', { detail: `The keys of ${issuer} cannot be read. Try again.`, cause });
}
