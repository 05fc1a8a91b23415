/** An HMAC algorithm of API keys (RFC 9421 section 3.3). */
export interface Algorithm {
  /** The suffix of its keys' ids. */
  readonly keyIdSuffix: string;
  /** The hash function of the HMAC, by its name in Web Crypto, which OpenSSL knows too. */
  readonly hash: `SHA-${number}`;
}

/** RFC 9421 section 3.3.3. Used by keys whose id has no algorithm suffix. */
const hmacSha256: Algorithm = { keyIdSuffix: '', hash: 'SHA-256' };

/**
 * The algorithms of API keys; a new algorithm is a new row. A key states its algorithm in the suffix of its id, so the verifier
 * knows it before any read and never takes it from the request (RFC 9421 section 7.3.6). The secret is derived from the whole
 * id, so no secret serves two algorithms. A request may omit `alg`; if present, it must name the algorithm of the key
 * (section 3.2, step 6).
 *
 * `hmac-sha256` is the only HMAC in IANA's registry "HTTP Signature Algorithms" (section 6.2). The name of any other HMAC
 * would be private to this service, so signers would omit `alg`, as with the JOSE algorithms (section 3.3.7).
 */
export const algorithms: readonly Algorithm[] = [hmacSha256];

/** The algorithm stated by a key id. */
export function algorithmOf(keyId: string): Algorithm {
  return algorithms.find(({ keyIdSuffix }) => keyIdSuffix && keyId.endsWith(keyIdSuffix)) ?? hmacSha256;
}

/** The value that a request may have in `alg`. */
export function algorithmName({ hash }: Algorithm): string {
  return hash.replace('SHA-', 'hmac-sha');
}

/** The length of an algorithm's MACs, which is that of its hash. */
export function macBytesOf({ hash }: Algorithm): number {
  return Number(hash.slice('SHA-'.length)) / 8;
}

/** The end of a pattern that matches key ids. */
export const keyIdEnd: string = `(?:${algorithms.map(({ keyIdSuffix }) => keyIdSuffix).join('|')})$`;
