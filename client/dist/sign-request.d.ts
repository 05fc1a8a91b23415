import { type ApiKey, type ImportedKey } from './client-key.js';
/** Options of one signature. */
export interface SigningOptions {
  /** When, in seconds since 1970, rounded down; now by default. */
  readonly created?: number | undefined;
  /** Names the call, in 16 to 64 characters; a random one by default. */
  readonly nonce?: string | undefined;
  /** More headers of the request to cover besides If-Match, so that nobody on the way can remove or change them. */
  readonly cover?: readonly string[] | undefined;
}
/**
 * Signs a request for any `fetch`: returns a copy with the headers added and leaves the request itself usable, so that a
 * retry can be signed again. A signature is valid for five minutes, and for one write. Sign each retry with the `nonce` of
 * the first attempt and a later `created`, for at most 300 seconds: a write then takes effect once, and the retry is
 * answered with its outcome.
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
export declare function signRequest(request: Request, key: ApiKey, options?: SigningOptions): Promise<Request>;
/** Signs a request; returns the signature base too, to compare it when the server refuses the signature. */
export declare function sign(
  request: Request,
  { keyId, secret }: ImportedKey,
  { created, nonce, cover }?: SigningOptions,
): Promise<{
  readonly signed: Request;
  readonly base: string;
}>;
