import { type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { type ComponentSource, componentValue, createSignatureBase, type HeaderValues, headerValue } from './base.ts';
import { verifyContentDigest } from './digest.ts';
import { SignatureError } from './error.ts';
import { computeMac, createMacKey } from './mac.ts';
import { type ParsedSignature, parseSignature } from './scan.ts';

const windowSeconds = 300;
const bareComma = /,(?! )/g;
// Replaces a key whose root does not exist: such a request takes the same path as one with a wrong secret.
const unknownKey = createMacKey(randomBytes(32).toString('base64url'));

/**
 * A request as the server received it, with every encoding of its target that a signer may have used (RFC 9421 section
 * 2.2).
 */
export interface SignedMessage {
  readonly method: string;
  /** Equivalent encodings of one path, the canonical one first. */
  readonly paths: readonly string[];
  /** The hosts this service answers for, lower-case and without a default port, the canonical one first. */
  readonly authorities: readonly string[];
  /** As received, without the `?`; empty when there is none. */
  readonly query: string;
  /** Lower-case names; repeated headers joined with a comma. */
  readonly headers: HeaderValues;
  /** The bytes received, after decoding any base64 of the gateway. */
  readonly body: Uint8Array;
}

/**
 * Reads a request's signature and refuses one that covers too little (RFC 9421 section 3.2); nothing it returns is
 * authenticated yet.
 */
export function readSignature(message: SignedMessage): ParsedSignature {
  const input = requireHeader(message, 'signature-input');
  const parsed = parseSignature(input, requireHeader(message, 'signature'));
  requireCoverage(message, parsed.components);
  requireComponents(message, parsed.components);
  return parsed;
}

/**
 * Verifies MAC, clock and body in this order (RFC 9421 section 3.2), or throws; an undefined key gives the same error as a
 * wrong secret.
 */
export function verifySignature(
  message: SignedMessage,
  parsed: ParsedSignature,
  key: KeyObject | undefined,
  nowSeconds: number,
): void {
  requireValidMac(message, parsed, key);
  requireCurrentTime(parsed, nowSeconds);
  requireCoveredBody(message, parsed.components);
}

function requireHeader(message: SignedMessage, name: string): string {
  const value = headerValue(message.headers, name);
  if (value === undefined) throw new SignatureError('signature_missing', `the request has no "${name}" header`);
  return value;
}

function requireCoverage(message: SignedMessage, components: readonly string[]): void {
  for (const name of requiredComponents(message)) {
    if (components.includes(name)) continue;
    throw new SignatureError('component_missing', `Signature-Input: "${name}" must be covered`);
  }
}

/**
 * The components that define the request. `If-Match` is one: if it could be removed, added or changed, a write would mean
 * something else.
 */
function requiredComponents({ query, headers, body }: SignedMessage): string[] {
  const required = ['@method', '@authority', '@path'];
  if (query !== '') required.push('@query');
  if (body.byteLength > 0) required.push('content-digest');
  if (headerValue(headers, 'if-match') !== undefined) required.push('if-match');
  return required;
}

/** Refuses a component that is absent or that no signature base can hold; checking one encoding of the path suffices. */
function requireComponents(message: SignedMessage, components: readonly string[]): void {
  const [authority = ''] = message.authorities;
  const [path = ''] = message.paths;
  const source = sourceOf(message, authority, path, message.headers);
  for (const name of components) componentValue(name, source);
}

/** Refuses a MAC that matches none of the request's candidate bases (RFC 9421 section 3.2): `signature_mismatch`. */
export function requireValidMac(message: SignedMessage, parsed: ParsedSignature, key: KeyObject | undefined): void {
  let canonical: string | undefined;
  for (const base of candidateBases(message, parsed)) {
    canonical ??= base;
    const matches = timingSafeEqual(computeMac(base, key ?? unknownKey, parsed.algorithm), parsed.mac);
    if (matches && key !== undefined) return;
  }
  const detail = 'the signature does not match this request and key; compare the signature base';
  throw new SignatureError('signature_mismatch', detail, { signatureBase: canonical && shownBase(canonical) });
}

/**
 * The signature base without the values of components that the profile does not require: a proxy may have added such a
 * header with a secret of its own, and the caller may only know its name.
 */
export function shownBase(signatureBase: string): string {
  return signatureBase.replace(/^"(?!@|content-digest"|if-match")([^"]+)": .*/gm, '"$1": (not shown)');
}

/** Yields every signature base (RFC 9421 section 2.5) equivalent to the request, the canonical one first. */
export function* candidateBases(message: SignedMessage, parsed: ParsedSignature): Generator<string, void> {
  for (const headers of headerVariants(message.headers, parsed.components)) {
    for (const authority of message.authorities) {
      for (const path of message.paths) {
        const source = sourceOf(message, authority, path, headers);
        yield createSignatureBase(parsed.components, parsed.signatureParams, source);
      }
    }
  }
}

function sourceOf(
  { method, query }: SignedMessage,
  authority: string,
  path: string,
  headers: HeaderValues,
): ComponentSource {
  return { method, authority, path, query, headers };
}

/** API Gateway joins repeated headers with `,` where RFC 9421 section 2.1 joins them with `, `. */
function headerVariants(headers: HeaderValues, components: readonly string[]): HeaderValues[] {
  const respaced: Record<string, string> = {};
  for (const name of components) {
    const value = headerValue(headers, name);
    if (value?.includes(',')) respaced[name] = value.replace(bareComma, ', ');
  }
  const changed = Object.entries(respaced).some(([name, value]) => value !== headers[name]);
  return changed ? [headers, { ...headers, ...respaced }] : [headers];
}

/** The validity of a signature, in seconds since the epoch. */
type SignatureTimes = Pick<ParsedSignature, 'created' | 'expires'>;

/** Refuses a signature outside the window around the clock, or expired (RFC 9421 section 2.3): `clock_skew`. */
export function requireCurrentTime(parsed: SignatureTimes, nowSeconds: number): void {
  requireSmallSkew(parsed.created, nowSeconds);
  requireUnexpired(parsed, nowSeconds);
}

// Both comparisons are written so that a NaN clock refuses.
function requireSmallSkew(created: number, nowSeconds: number): void {
  if (Math.abs(nowSeconds - created) <= windowSeconds) return;
  const distance = Math.ceil(Math.abs(nowSeconds - created));
  const side = created < nowSeconds ? 'behind' : 'ahead of';
  const detail = `"created" is ${distance} seconds ${side} the server's clock; at most ${windowSeconds} are allowed`;
  throw clockSkew(detail, created, nowSeconds);
}

function requireUnexpired({ created, expires }: SignatureTimes, nowSeconds: number): void {
  if (expires === undefined || nowSeconds <= expires) return;
  throw clockSkew(`the signature expired: "expires" is ${expires}`, created, nowSeconds);
}

function clockSkew(detail: string, created: number, nowSeconds: number): SignatureError {
  const serverTime = new Date(nowSeconds * 1000).toISOString();
  return new SignatureError('clock_skew', detail, { serverTime, created, windowSeconds });
}

/** Refuses a body that does not match its covered digest, such as one lost in transit; every non-empty body is covered. */
export function requireCoveredBody(message: SignedMessage, components: readonly string[]): void {
  if (!components.includes('content-digest')) return;
  const digest = headerValue(message.headers, 'content-digest');
  if (digest === undefined) throw new SignatureError('component_missing', 'the request has no "content-digest"');
  verifyContentDigest(digest, message.body);
}
