import { tell } from '../client-hooks.ts';
import { pause } from '../time-limit.ts';
import { awaitAnswer, type Patience } from './await-answer.ts';
import { AnswerTimeout, ManagementError } from './management-error.ts';
import type { UnsignedRequest } from './management-request.ts';
import type { Answered, Receiver, Reply } from './send-attempt.ts';

/** Callbacks about the requests of calls; they never receive secrets or bodies, and their failures are ignored. */
export interface ManagementHooks {
  /** After each request, with or without a response. */
  readonly onResponse?: (response: AttemptEvent) => void;
  /** Before the pause that precedes another attempt. */
  readonly onRetry?: (retry: AttemptEvent & { readonly delayMs: number; readonly maxAttempts: number }) => void;
}

/** The end of one request. */
export interface AttemptEvent {
  /** The HTTP method. */
  readonly method: string;
  /** Without the query. */
  readonly url: string;
  /** 1 for the first request of a call. */
  readonly attempt: number;
  /** How long the request took, in milliseconds. */
  readonly durationMs: number;
  /** The status and the id of the request, or why there was no response. */
  readonly outcome: string;
}

/** How a call is sent. */
export interface Calling extends Patience {
  readonly receiver: Receiver;
  readonly maxAttempts: number;
  readonly hooks: ManagementHooks;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a request until the answer is final, and returns its body: temporary failures are retried, and after a 202 the request is
 * repeated until it is complete.
 */
export async function callUntilComplete(request: UnsignedRequest, calling: Calling): Promise<unknown> {
  for (let wasSent = false; ; wasSent = true) {
    const reply = await retryTemporary(request, calling, wasSent);
    if (reply.kind === 'none' || reply.status !== 202) return readReply(reply, calling);
    await pause((retryAfterSeconds(reply) || 1) * 1000, calling.signal);
    if (calling.signal?.aborted) throw aborted(calling.signal);
  }
}

/** The reply to the last attempt; without one, it says whether any attempt may have reached the service. */
async function retryTemporary(request: UnsignedRequest, calling: Calling, sentBefore: boolean): Promise<Reply> {
  const { receiver, maxAttempts, hooks, silence, signal } = calling;
  await receiver.authorization.prepare();
  let heardAt = Date.now();
  let isRenewed = false;
  let wasSent = sentBefore;
  for (let attempt = 1; ; attempt++) {
    const startedAt = Date.now();
    const { reply, ...heard } = await awaitAnswer(receiver, request, { ...calling, heardAt });
    heardAt = heard.heardAt;
    wasSent ||= reply.kind === 'answer' || reply.isSent;
    const { method, path } = request;
    const durationMs = Date.now() - startedAt;
    const event = { method, url: receiver.origin + path, attempt, durationMs, outcome: describe(reply) };
    tell(hooks.onResponse, event);
    if (!isRenewed && isStatus(reply, 401) && (await receiver.authorization.renew(request))) {
      isRenewed = true;
      continue;
    }
    if (!isTemporary(reply) || attempt >= maxAttempts || signal?.aborted) return lastOf(reply, wasSent);
    const delayMs = delayMilliseconds(attempt, reply);
    if (Date.now() + delayMs > heardAt + silence) return lastOf(reply, wasSent);
    tell(hooks.onRetry, { ...event, delayMs, maxAttempts });
    await pause(delayMs, signal);
  }
}

function lastOf(reply: Reply, wasSent: boolean): Reply {
  return reply.kind === 'none' ? { ...reply, isSent: wasSent } : reply;
}

/** Whether the same request may succeed on a retry. A timeout is final: the caller has waited long enough. */
function isTemporary(reply: Reply): boolean {
  if (reply.kind === 'none') return !(reply.cause instanceof AnswerTimeout);
  return isStatus(reply, 429) || isStatus(reply, 503);
}

function isStatus(reply: Reply, status: number): boolean {
  return reply.kind === 'answer' && reply.status === status;
}

/** Exponential backoff with full jitter, 0.1 to 5 s, on top of the server's Retry-After. */
function delayMilliseconds(attempt: number, reply: Reply): number {
  const longest = Math.min(5000, 200 * 2 ** attempt);
  return retryAfterSeconds(reply) * 1000 + Math.max(100, Math.random() * longest);
}

/** The server's Retry-After, at most 10 s; 0 without one. */
function retryAfterSeconds(reply: Reply): number {
  const retryAfter = reply.kind === 'answer' ? Number(reply.headers.get('retry-after') ?? 0) : 0;
  return Math.min(10, retryAfter || 0);
}

function readReply(reply: Reply, { signal }: Calling): unknown {
  if (reply.kind === 'none') {
    const { reason: detail, cause, isSent } = reply;
    throw signal?.aborted ? aborted(signal) : new ManagementError({ code: 'no_answer', detail, cause, isSent });
  }
  const body = parse(reply.text);
  if (reply.status >= 200 && reply.status < 300 && body !== undefined) return body;
  throw refusalOf(reply, body);
}

/** The error for an unsuccessful response: a problem document of the service, or what AWS or a proxy in front answered. */
function refusalOf({ status, headers }: Answered, body: unknown): ManagementError {
  const problem = Object(body) as Readonly<Record<string, unknown>>;
  const { code, detail, requestId = headers.get('x-amzn-requestid') ?? undefined } = problem;
  const isOwn = typeof code === 'string' && typeof detail === 'string';
  const seconds = Number(headers.get('retry-after'));
  return new ManagementError({
    code: isOwn ? (code as 'internal') : 'unexpected_answer',
    detail: isOwn ? detail : foreignDetail(status, problem),
    status,
    isSent: true,
    ...(requestId !== undefined && { requestId }),
    ...(seconds > 0 && { retryAfterSeconds: seconds }),
    ...(isOwn && { problem }),
  });
}

/** A function URL writes `Message`, API Gateway `message`. */
function foreignDetail(status: number, { Message, message = Message }: Readonly<Record<string, unknown>>): string {
  if (status >= 200 && status < 300) return `The response was ${status} with a body that is not JSON.`;
  return message === undefined
    ? `The response was ${status} with no error body.`
    : `The response was ${status}: ${message}`;
}

function aborted({ reason }: AbortSignal): ManagementError {
  return new ManagementError({ code: 'aborted', detail: String(reason), cause: reason, isSent: true });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(reply: Reply): string {
  if (reply.kind === 'none') return reply.reason;
  return `${reply.status} ${reply.headers.get('x-amzn-requestid') ?? ''}`.trimEnd();
}
