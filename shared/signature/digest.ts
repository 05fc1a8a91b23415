import { hash, timingSafeEqual } from 'node:crypto';
import { formatContentDigest } from './base.ts';
import { malformed, SignatureError } from './error.ts';

const memberPattern = /^[ \t]*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):[ \t]*$/;

/** Creates the `Content-Digest` value of these bytes: one `sha-256` member (RFC 9530 section 2). */
export function createContentDigest(body: Uint8Array): string {
  return formatContentDigest(hash('sha256', body, 'base64'));
}

/**
 * Refuses a body whose SHA-256 differs from the header's (RFC 9530 section 2): `digest_mismatch`, or `signature_malformed`
 * if the header cannot be read.
 */
export function verifyContentDigest(header: string, body: Uint8Array): void {
  const claimed = readSha256(header);
  const computed = hash('sha256', body, 'base64');
  if (timingSafeEqual(Buffer.from(claimed), Buffer.from(computed))) return;
  const detail = `Content-Digest: not the SHA-256 of the ${body.byteLength} bytes received`;
  throw new SignatureError('digest_mismatch', detail, { receivedBytes: body.byteLength });
}

/** Reads the one `sha-256` member, in canonical base64 (44 characters for 32 bytes); ignores members of other algorithms. */
function readSha256(header: string): string {
  let digest: string | undefined;
  for (const member of header.split(',')) {
    const [, algorithm, base64] = memberPattern.exec(member) ?? [];
    if (base64 === undefined) throw malformed('Content-Digest: expected algorithm=:base64: members between commas');
    if (algorithm !== 'sha-256') continue;
    if (digest !== undefined) throw malformed('Content-Digest: has more than one "sha-256" member');
    digest = base64;
  }
  if (digest === undefined) throw malformed('Content-Digest: has no "sha-256" member');
  requireCanonicalBase64(digest);
  return digest;
}

function requireCanonicalBase64(digest: string): void {
  const bytes = Buffer.from(digest, 'base64');
  if (bytes.length === 32 && bytes.toString('base64') === digest) return;
  throw malformed('Content-Digest: "sha-256" is not 32 bytes in canonical base64');
}
