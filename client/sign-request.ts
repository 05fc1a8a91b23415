import { createSigningInput, formatContentDigest, signedHeaders } from '#shared/signature/base.ts';
import { type ApiKey, encodeText, type ImportedKey, importSecret, requireKeyId } from './client-key.ts';

/** Options of one signature. */
export interface SigningOptions {
  /** When, in seconds since 1970, rounded down; now by default. */
  readonly created?: number | undefined;
  /** More headers of the request to cover besides If-Match, so that nobody on the way can remove or change them. */
  readonly cover?: readonly string[] | undefined;
}

/**
 * Signs a request for any `fetch`: returns a copy with the headers added and leaves the request itself usable, so that a
 * retry can be signed again. A signature is valid for five minutes, and for one write.
 *
 * @example
 * ```ts
 * import { signRequest } from 'auth-service/client';
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
  return (await sign(request, key, options)).signed;
}

/** Signs with a new nonce; returns the signature base too, to compare it when the server refuses the signature. */
export async function sign(
  request: Request,
  { keyId, secret }: ImportedKey,
  { created = Date.now() / 1000, cover }: SigningOptions = {},
): Promise<{ readonly signed: Request; readonly base: string }> {
  requireKeyId(keyId);
  const { subtle } = crypto;
  const body = await request.clone().arrayBuffer();
  const digest = body.byteLength ? formatContentDigest(base64(await subtle.digest('SHA-256', body))) : undefined;
  const nonce = crypto.randomUUID();
  const headers = Object.fromEntries(request.headers);
  const { params, base } = createSigningInput(request, {
    headers,
    digest,
    created: Math.floor(created),
    nonce,
    keyId,
    cover,
  });
  const mac = await subtle.sign('HMAC', await importSecret(secret), encodeText(base));
  Object.assign(headers, signedHeaders(digest, params, base64(mac)));
  return { base, signed: new Request(request, { headers, ...(digest && { body }) }) };
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
