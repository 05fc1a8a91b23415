import { createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { candidateBases } from './candidate-bases.ts';
import { computeMac } from './compute-mac.ts';
import { verifyContentDigest } from './content-digest.ts';
import type { ParsedSignature } from './parse-signature.ts';
import { headerValue } from './signature-base.ts';
import { SignatureError } from './signature-error.ts';
import type { SignedMessage } from './signed-message.ts';

const windowSeconds = 300;
// Stands in for a key that was never issued, so that such a request costs what a wrong secret costs.
const unknownKey = createSecretKey(randomBytes(32));

/** Verifies MAC, clock and body in this order (RFC 9421 section 3.2), or throws; an undefined key answers as a wrong secret does. */
export function verifySignature(
  message: SignedMessage,
  parsed: ParsedSignature,
  key: KeyObject | undefined,
  nowSeconds: number,
): void {
  rejectForgery(message, parsed, key);
  rejectWrongTime(parsed, nowSeconds);
  rejectAlteredBody(message, parsed.components);
}

/** Refuses a MAC of none of the bases that name what the request names (RFC 9421 section 3.2): `signature_mismatch`. */
export function rejectForgery(message: SignedMessage, parsed: ParsedSignature, key: KeyObject | undefined): void {
  let canonical: string | undefined;
  for (const base of candidateBases(message, parsed)) {
    canonical ??= base;
    const matches = timingSafeEqual(computeMac(base, key ?? unknownKey), parsed.mac);
    if (matches && key !== undefined) return;
  }
  const detail = 'the signature is not that of this request under the key named; compare the signature base';
  throw new SignatureError('signature_mismatch', detail, { signatureBase: canonical });
}

/** Refuses a signature out of the window around the clock, or expired (RFC 9421 section 2.3): `clock_skew`. */
export function rejectWrongTime(parsed: ParsedSignature, nowSeconds: number): void {
  rejectClockSkew(parsed.created, nowSeconds);
  rejectExpired(parsed, nowSeconds);
}

// Both comparisons are written so that a clock that is no number refuses.
function rejectClockSkew(created: number, nowSeconds: number): void {
  if (Math.abs(nowSeconds - created) <= windowSeconds) return;
  throw clockSkew(`"created" is more than ${windowSeconds} seconds from the server's clock`, created, nowSeconds);
}

function rejectExpired({ created, expires }: ParsedSignature, nowSeconds: number): void {
  if (expires === undefined || nowSeconds <= expires) return;
  throw clockSkew(`the signature expired: "expires" is ${expires}`, created, nowSeconds);
}

function clockSkew(detail: string, created: number, nowSeconds: number): SignatureError {
  const serverTime = new Date(nowSeconds * 1000).toISOString();
  return new SignatureError('clock_skew', detail, { serverTime, created, windowSeconds });
}

/** Refuses a body that is not the covered digest's. A body that is not empty is always covered, and a covered digest of a body that was lost on the way does not fit. */
export function rejectAlteredBody(message: SignedMessage, components: readonly string[]): void {
  if (!components.includes('content-digest')) return;
  const digest = headerValue(message.headers, 'content-digest');
  if (digest === undefined) throw new SignatureError('component_missing', 'the request carries no "content-digest"');
  verifyContentDigest(digest, message.body);
}
