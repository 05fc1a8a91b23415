import type { Service } from './find-service.ts';
import { queryString, type UnsignedRequest } from './manage-request.ts';

/** The result of one HTTP request: a response, or the reason why there is none. */
export type Reply =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: Headers; readonly text: string }
  | NoAnswer;

export interface NoAnswer {
  readonly kind: 'none';
  readonly reason: string;
  readonly cause: unknown;
  /** False if the request was certainly not sent. */
  readonly sent: boolean;
  /** The code of the system, such as `ECONNREFUSED`. */
  readonly code: string | undefined;
}

/** Why a request was given up: its answer took too long. */
export class AnswerTimeout extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds / 1000} s`);
  }
}

/** Signs a request with Signature Version 4 and the current time, and sends it once, until the signal stops it. */
export async function sendSigned(service: Service, request: UnsignedRequest, signal: AbortSignal): Promise<Reply> {
  const { method, path, query, body } = request;
  const headers = await signedHeaders(service, request);
  try {
    const response = await fetch(`${service.url}${path}${queryString(query)}`, {
      method,
      headers,
      body: body ?? null,
      redirect: 'manual',
      signal,
    });
    return { kind: 'answer', status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    return { kind: 'none', ...reasonOf(cause), cause };
  }
}

/** Loads the signer on first use, so that `--help` stays fast. */
async function signedHeaders(
  service: Service,
  { method, path, query, body, idempotencyKey }: UnsignedRequest,
): Promise<Record<string, string>> {
  const [{ SignatureV4 }, { Sha256 }] = await Promise.all([
    import('@smithy/signature-v4'),
    import('@smithy/core/checksum'),
  ]);
  const { protocol, hostname, host } = new URL(service.url);
  const { region, credentials } = service;
  const signer = new SignatureV4({ service: 'lambda', region, credentials, sha256: Sha256 });
  const contentType = body === undefined ? {} : { 'content-type': 'application/json' };
  const idempotency = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  const signed = await signer.sign({
    method,
    protocol,
    hostname,
    path,
    query: { ...query },
    headers: { host, ...contentType, ...idempotency },
    body,
  });
  // fetch sets the host header itself.
  const { host: _, ...headers } = signed.headers;
  return headers;
}

/** Errors before a connection exists, so that the request was certainly not sent. */
const unsentCodes = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** The message of fetch says only that it failed; its cause says why. */
function reasonOf(error: unknown): Pick<NoAnswer, 'reason' | 'sent' | 'code'> {
  if (!(error instanceof Error)) return { reason: String(error), sent: true, code: undefined };
  const cause = error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException) : undefined;
  const reason = cause?.message || cause?.code || error.message;
  return { reason, sent: !unsentCodes.includes(cause?.code ?? ''), code: cause?.code };
}
