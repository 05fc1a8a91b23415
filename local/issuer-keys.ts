import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import * as v from 'valibot';

const timeoutMs = 5_000;
const discoverySchema = v.object({ jwks_uri: v.string() });

/** The keys of an issuer; rejects while they cannot be found. */
export type IssuerKeys = (issuer: string) => Promise<JWTVerifyGetKey>;

/** Finds the keys of issuers by OpenID Connect Discovery 1.0, section 4, once for each. */
export function rememberIssuerKeys(): IssuerKeys {
  const found = new Map<string, Promise<JWTVerifyGetKey>>();
  return (issuer) => {
    const keys = found.get(issuer) ?? discover(issuer);
    found.set(issuer, keys);
    // An issuer that does not answer now may answer the next time.
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
