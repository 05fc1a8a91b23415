import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from './find-service.ts';
import { manageRequest, type UnsignedRequest } from './manage-request.ts';
import { AnswerTimeout, type Reply, sendSigned } from './send-signed.ts';

/** How long to wait, in milliseconds. */
export interface Patience {
  /** For the answer to a request, from a service that answers others. */
  readonly answer: number;
  /** For anything at all from the service, over all attempts of a request. */
  readonly silence: number;
}

/** Longer than the timeout of the function behind the function URL; a deletion or a bulk change may need all of it. */
const answerMilliseconds = 35_000;
/**
 * Short enough that a command against a stopped service ends within 15 s: a lookup that begins after half of this time, to a name
 * server that does not answer, keeps the process alive for 10 s. Other requests are answered in much less.
 */
const silenceMilliseconds = 8_000;

/** The patience of `--timeout`, or the default one. */
export function patienceOf(timeoutSeconds: number | undefined): Patience {
  if (timeoutSeconds === undefined) return { answer: answerMilliseconds, silence: silenceMilliseconds };
  return { answer: timeoutSeconds * 1000, silence: timeoutSeconds * 1000 };
}

/** A reply, and when the service was last heard of, in milliseconds since the epoch. */
export interface Heard {
  readonly reply: Reply;
  readonly heardAt: number;
}

/**
 * Sends a request once. While its answer takes long, a small request tells a busy service from a stopped one, which is given
 * up earlier.
 */
export async function awaitAnswer(
  service: Service,
  request: UnsignedRequest,
  { answer, silence, heardAt: heardBefore }: Patience & { readonly heardAt: number },
): Promise<Heard> {
  const [stopping, listening] = [new AbortController(), new AbortController()];
  const timer = setTimeout(() => stopping.abort(new AnswerTimeout(answer)), answer);
  const sending = sendSigned(service, request, stopping.signal);
  let heardAt = heardBefore;
  try {
    for (;;) {
      const silentUntil = heardAt + silence;
      const wait = Math.max(shortestMilliseconds, (silentUntil - Date.now()) / 2);
      const early = await Promise.race([sending, pause(wait, undefined, listening)]);
      if (early !== undefined) return heard(early, heardAt);
      const found = await Promise.race([sending, isAnswering(service, silentUntil, listening.signal)]);
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
async function isAnswering(service: Service, until: number, stopped: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(Math.max(0, until - Date.now()))]);
  const { kind } = await sendSigned(service, manageRequest('get-operator', {}), signal);
  return kind === 'answer';
}
