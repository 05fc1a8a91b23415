import { randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type SigningOptions, signRequest } from '#shared/signature/sign.ts';
import { expectDocumented } from './documented.ts';

export interface Key {
  readonly keyId: string;
  readonly secret: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the shape of the body that it reads
  readonly body: any;
}

export interface RequestOptions {
  /** An object is sent as JSON, a string or bytes unchanged. */
  readonly body?: object | string | Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Options that differ from those of a correct client. */
  readonly signing?: Partial<SigningOptions>;
  /** Changes the request after signing. */
  readonly tamper?: (request: SentRequest) => SentRequest;
}

export interface SentRequest {
  readonly method: string;
  readonly target: string;
  /** A header with several values is sent once for each. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Uint8Array | undefined;
  /** The local source address. Default: 127.0.0.1. */
  readonly from?: string;
}

/** Signs a request with a key, as an application's backend would, and sends it exactly as signed. */
export async function sendSigned(
  baseUrl: string,
  { keyId, secret }: Key,
  [method, target]: readonly [method: string, target: string],
  { body, headers = {}, signing = {}, tamper = (request) => request }: RequestOptions = {},
): Promise<Answer> {
  const content = typeof body === 'object' && !(body instanceof Uint8Array) ? JSON.stringify(body) : body;
  const sent = { ...(content === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
  const toSign = { method, url: baseUrl + target, headers: sent, ...(content === undefined ? {} : { body: content }) };
  const created = Math.floor(Date.now() / 1000);
  const signature = signRequest(toSign, { keyId, secret, created, nonce: freshNonce(), ...signing });
  return send(baseUrl, tamper({ method, target, headers: { ...sent, ...signature }, body: content }));
}

/** Sends a request unchanged, and checks the response against the OpenAPI document. */
export async function send(baseUrl: string, request: SentRequest): Promise<Answer> {
  const answer = await exchange(baseUrl, request);
  expectDocumented(request, answer);
  return answer;
}

/** Sends a request unchanged. */
export function exchange(baseUrl: string, { method, target, headers, body, from }: SentRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = httpRequest(
      baseUrl,
      { method, path: target, headers: { ...headers, ...length }, ...(from !== undefined && { localAddress: from }) },
      async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text === '' ? null : JSON.parse(text),
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** 128 random bits. */
export function freshNonce(): string {
  return randomBytes(16).toString('base64url');
}
