import { pause } from '../time-limit.ts';
import { AnswerTimeout } from './management-error.ts';
import { managementRequest, type UnsignedRequest } from './management-request.ts';
import { type Receiver, type Reply, sendAttempt } from './send-attempt.ts';

/** How long to wait, in milliseconds. */
export interface Patience {
  /** For the answer to a request, from a service that answers others. */
  readonly answer: number;
  /** For anything at all from the service, over all attempts of a request. */
  readonly silence: number;
}

/** A reply, and when the service was last heard of, in milliseconds since the epoch. */
export interface Heard {
  readonly reply: Reply;
  readonly heardAt: number;
}

export interface Waiting extends Patience {
  readonly heardAt: number;
  /** Of the caller. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a request once. While its answer takes long, a small request tells a busy service from a stopped one, which is given
 * up earlier.
 */
export async function awaitAnswer(
  receiver: Receiver,
  request: UnsignedRequest,
  { answer, silence, heardAt: heardBefore, signal }: Waiting,
): Promise<Heard> {
  const [stopping, listening] = [new AbortController(), new AbortController()];
  const timer = setTimeout(() => stopping.abort(new AnswerTimeout(answer)), answer);
  const stop = () => stopping.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { signal: listening.signal });
  if (signal?.aborted) stop();
  const sending = sendAttempt(receiver, request, stopping.signal);
  let heardAt = heardBefore;
  try {
    for (;;) {
      const silentUntil = heardAt + silence;
      const wait = Math.max(shortestMilliseconds, (silentUntil - Date.now()) / 2);
      const early = await Promise.race([sending, pause(wait, listening.signal)]);
      if (early !== undefined) return heard(early, heardAt);
      const found = await Promise.race([sending, isAnswering(receiver, silentUntil, listening.signal)]);
      if (typeof found === 'object') return heard(found, heardAt);
      if (found) heardAt = Date.now();
      else if (Date.now() > silentUntil - shortestMilliseconds) stopping.abort(new AnswerTimeout(silence));
    }
  } finally {
    clearTimeout(timer);
    listening.abort();
  }
}

/** Between two small requests of which the first one failed at once. */
const shortestMilliseconds = 250;

function heard(reply: Reply, heardBefore: number): Heard {
  return { reply, heardAt: reply.kind === 'answer' ? Date.now() : heardBefore };
}

/** Whether the service answers a request that it can answer without the table. */
async function isAnswering(receiver: Receiver, until: number, stopped: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(Math.max(0, until - Date.now()))]);
  const { kind } = await sendAttempt(receiver, managementRequest('get-operator', {}), signal);
  return kind === 'answer';
}
