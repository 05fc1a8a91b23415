import { queryString, type UnsignedRequest } from './management-request.ts';

/** The result of one HTTP request: a response, or the reason why there is none. */
export type Reply = Answered | NoAnswer;

export interface Answered {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface NoAnswer {
  readonly kind: 'none';
  readonly reason: string;
  readonly cause: unknown;
  /** False if the request was certainly not sent. */
  readonly isSent: boolean;
}

/** Adds to requests what authorizes them. */
export interface Authorization {
  /** Waits for credentials, which may take as long as it needs; a failure ends the call. */
  prepare(): Promise<unknown>;
  /** All headers to send, also those of the request. Called for each attempt. */
  headers(request: UnsignedRequest): Promise<Readonly<Record<string, string>>>;
  /** After a 401 to this request: whether there are other credentials now. */
  renew(request: UnsignedRequest): Promise<boolean>;
}

/** The service to send to. */
export interface Receiver {
  /** Without a trailing slash. */
  readonly origin: string;
  readonly authorization: Authorization;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Authorizes a request and sends it once, until the signal stops it. */
export async function sendAttempt(
  { origin, authorization, fetch }: Receiver,
  request: UnsignedRequest,
  signal: AbortSignal | undefined,
): Promise<Reply> {
  const { method, path, query, body = null } = request;
  const headers = { ...(await authorization.headers(request)) };
  try {
    const url = `${origin}${path}${queryString(query)}`;
    const response = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      cache: 'no-store',
      ...(signal && { signal }),
    });
    return { kind: 'answer', status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    return { kind: 'none', ...reasonOf(cause), cause };
  }
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

/** The message of fetch says only that it failed; the last of its causes says why. */
function reasonOf(error: unknown): Pick<NoAnswer, 'reason' | 'isSent'> {
  if (!(error instanceof Error)) return { reason: String(error), isSent: true };
  const { message, code = '' } = lastCause(error) as { readonly message: string; readonly code?: string };
  return { reason: message || code || error.message, isSent: !unsentCodes.includes(code) };
}

function lastCause(error: Error): Error {
  return error.cause instanceof Error ? lastCause(error.cause) : error;
}
