import { createHash } from 'node:crypto';

export interface VectorRequest {
  readonly method: string;
  readonly url: string;
  /** A header with several values is sent once for each. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Text, or bytes that are not text. */
  readonly body?: string | Uint8Array;
}

export const base = 'https://auth.example.com/api/service';
export const json = { 'Content-Type': 'application/json' };

/** Builds a request with a body and its digest. */
export function withBody(
  method: string,
  path: string,
  body: string | Uint8Array,
  headers: VectorRequest['headers'] = json,
): VectorRequest & { readonly body: string | Uint8Array } {
  return { method, url: base + path, headers: { ...headers, 'Content-Digest': digestOf(body) }, body };
}

/** Computes the digest that the service requires (RFC 9530 section 2). */
export function digestOf(body: string | Uint8Array): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
}

/** Computes the digest that the service accepts in addition. */
export function sha512Of(body: string | Uint8Array): string {
  return `sha-512=:${createHash('sha512').update(body).digest('base64')}:`;
}

export function revisedUrl(request: VectorRequest, from: string, to: string): VectorRequest {
  return { ...request, url: request.url.replace(from, to) };
}

/** Replaces text in one header of the request. */
export function edit(request: VectorRequest, name: string, from: string | RegExp, to: string): VectorRequest {
  return { ...request, headers: { ...request.headers, [name]: String(request.headers[name]).replace(from, to) } };
}

export function without(request: VectorRequest, ...names: readonly string[]): VectorRequest {
  const kept = Object.entries(request.headers).filter(([name]) => !names.includes(name));
  return { ...request, headers: Object.fromEntries(kept) };
}

/** Adds the signature a second time, under another label. */
export function withSecondSignature(request: VectorRequest): VectorRequest {
  const twice = (name: string) => `${request.headers[name]}, ${String(request.headers[name]).replace('sig1', 'sig2')}`;
  const headers = { 'Signature-Input': twice('Signature-Input'), Signature: twice('Signature') };
  return { ...request, headers: { ...request.headers, ...headers } };
}
