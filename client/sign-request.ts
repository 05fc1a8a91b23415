import { createSigningInput, formatContentDigest, signedHeaders } from '#shared/signature/base.ts';
import { type ApiKey, encodeText, type ImportedKey, importKey } from './client-key.ts';

/** Options of one signature. */
export interface SigningOptions {
  /** The time of signing, in seconds since 1970, rounded down; now by default. */
  readonly created?: number | undefined;
  /** When the signature expires, in seconds since 1970, rounded up; by default five minutes after `created`. */
  readonly expires?: number | undefined;
  /** Identifies the call, 16 to 64 characters; random by default. */
  readonly nonce?: string | undefined;
  /** Additional headers to cover, so that they cannot be removed or changed on the way; If-Match is always covered. */
  readonly cover?: readonly string[] | undefined;
}

/**
 * Signs a request for any `fetch`: returns a copy with the headers added, and leaves the request itself usable for signing a
 * retry. A signature is valid for five minutes, and for one write. Sign each retry with the `nonce` of the first attempt and a
 * later `created`, for at most 300 seconds: a write then takes effect only once, and the retry returns its outcome.
 *
 * @example
 * ```ts
 * import { signRequest } from '@auth-service/client';
 *
 * const key = { keyId: process.env.AUTH_KEY_ID ?? '', secret: process.env.AUTH_SECRET ?? '' };
 * const request = new Request('https://auth.example.com/api/service/users/ada/access', {
 *   method: 'PUT',
 *   headers: { 'content-type': 'application/json' },
 *   body: JSON.stringify({ status: 'disabled' }),
 * });
 * const response = await fetch(await signRequest(request, key), { redirect: 'manual' });
 * ```
 */
export async function signRequest(request: Request, key: ApiKey, options?: SigningOptions): Promise<Request> {
  return (await sign(request, importKey(key), options)).signed;
}

/** Signs a request; also returns the signature base, for comparison if the server rejects the signature. */
export async function sign(
  request: Request,
  { keyId, secret }: ImportedKey,
  { created = Date.now() / 1000, expires, nonce = crypto.randomUUID(), cover }: SigningOptions = {},
): Promise<{ readonly signed: Request; readonly base: string }> {
  const { subtle } = crypto;
  const body = await request.clone().arrayBuffer();
  const digest = body.byteLength ? formatContentDigest(base64(await subtle.digest('SHA-256', body))) : undefined;
  const headers = Object.fromEntries(request.headers);
  const from = Math.floor(created);
  const { params, base } = createSigningInput(request, {
    headers,
    digest,
    created: from,
    expires: expires && Math.max(from, Math.ceil(expires)),
    nonce,
    keyId,
    cover,
  });
  const mac = await subtle.sign('HMAC', await secret, encodeText(base));
  const allHeaders = { ...headers, ...signedHeaders(digest, params, base64(mac)) };
  return { base, signed: new Request(request, { headers: allHeaders, ...(digest && { body }) }) };
}

/** Encodes bytes in base64. */
export function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
