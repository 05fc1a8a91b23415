import { canonicalJson } from '#shared/integrity/canonical-json.ts';
import type { ChangeKeys, PublicKey } from './fetch-change-keys.ts';
import { ChangeNotVerifiedError } from './not-verified-error.ts';

/** Public keys (RFC 7517), as `GET /api/service/change-keys` answers them. */
export interface JwkSet {
  /** The keys, whose names signatures contain. */
  readonly keys: readonly PublicKey[];
}

/** How a change is verified. */
export interface VerifyChangeOptions {
  /** The keys themselves, or `changeKeys(…)`, which fetches them. */
  readonly keys: JwkSet | ChangeKeys;
}

/**
 * Verifies that the service signed exactly this change, and returns it: the `detail` of an event, or an item of the feed. Only
 * public keys are needed. Rejects with a `ChangeNotVerifiedError` if anything was altered, added or removed, and also if the
 * keys are unavailable. It does not tell whether the change is the newest one, or was received before.
 *
 * ```ts
 * import { changeKeys, verifyChange } from '@auth-service/client/verify-change';
 *
 * const keys = changeKeys({ baseUrl: 'https://auth.example.com' });
 *
 * export async function receive(event: { readonly detail: { readonly signature?: string } }) {
 *   return verifyChange(event.detail, { keys });
 * }
 * ```
 */
export async function verifyChange<Received extends object>(
  change: Received,
  { keys }: VerifyChangeOptions,
): Promise<Received> {
  const { signature, ...content } = change as Received & { readonly signature?: unknown };
  if (signature === undefined) throw new ChangeNotVerifiedError('missing-signature');
  const { header, kid, bytes } = parse(signature);
  const jwk = typeof keys === 'function' ? await keys(kid) : keys.keys.find((key) => key.kid === kid);
  if (jwk === undefined) throw new ChangeNotVerifiedError('unknown-key');
  const signed = encode(`${header}.${toBase64Url(encode(canonicalJson(content)))}`);
  if (!(await isSigned(jwk, bytes, signed))) throw new ChangeNotVerifiedError('altered');
  return change;
}

/** The parts of a JWS with detached content. Its header names the algorithm, which is never another one. */
function parse(signature: unknown) {
  const [, header, encoded] = /^([\w-]{1,200})\.\.([\w-]{86})$/.exec(String(signature)) ?? [];
  if (header === undefined || encoded === undefined) throw new ChangeNotVerifiedError('malformed');
  const { alg, kid, crit } = parseHeader(header);
  if (alg !== 'EdDSA' || typeof kid !== 'string' || crit !== undefined) throw new ChangeNotVerifiedError('malformed');
  return { header, kid, bytes: fromBase64Url(encoded) };
}

function parseHeader(header: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(new TextDecoder().decode(fromBase64Url(header))));
  } catch (cause) {
    throw new ChangeNotVerifiedError('malformed', { cause });
  }
}

async function isSigned(jwk: PublicKey, signature: Uint8Array<ArrayBuffer>, content: Uint8Array<ArrayBuffer>) {
  const { kty, crv, x } = jwk;
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined) throw new ChangeNotVerifiedError('unknown-key');
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, { name: 'Ed25519' }, false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, signature, content);
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0));
}

function toBase64Url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
