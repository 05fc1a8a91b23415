import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt } from 'node:crypto';
import { ServiceError } from './errors.ts';

/** The present; the only place that asks for it. */
export function now(): Date {
  return new Date();
}

/** Resolves after so many milliseconds. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A whole number of milliseconds from 0 to `limit`, to spread retries. */
export function jitter(limitMilliseconds: number): number {
  return randomInt(limitMilliseconds + 1);
}

/** A request, or one attempt of its write, as far as time goes. */
interface TimeLimit {
  /** In milliseconds since the epoch. By the wall clock, because a frozen process's monotonic clock stands still. */
  readonly endsAt: number;
  readonly abort: AbortController;
}

const current = new AsyncLocalStorage<TimeLimit>();

/** Why something was aborted. A text, because without a reason each request makes an error, with a stack trace that nobody reads. */
const [timeIsUp, hasEnded] = ['The time of the request is up', 'The request has been answered'] as const;

/**
 * Runs a request that may send to DynamoDB and KMS until this time, in milliseconds since the epoch, and nothing any more
 * once it has answered.
 */
export async function runUntil<T>(endsAt: number, run: () => Promise<T>): Promise<T> {
  const limit = { endsAt, abort: new AbortController() };
  const timer = setTimeout(() => limit.abort.abort(timeIsUp), endsAt - now().getTime());
  try {
    return await current.run(limit, run);
  } finally {
    clearTimeout(timer);
    limit.abort.abort(hasEnded);
  }
}

/** Runs a part of the current request that may take so long at most; ends no later than the request. */
export async function runWithin<T>(milliseconds: number, run: () => Promise<T>): Promise<T> {
  const outer = current.getStore();
  const endsAt = Math.min(now().getTime() + milliseconds, outer?.endsAt ?? Number.POSITIVE_INFINITY);
  return runUntil(endsAt, async () => {
    const inner = current.getStore();
    const abortToo = () => inner?.abort.abort(outer?.abort.signal.reason);
    outer?.abort.signal.addEventListener('abort', abortToo, { once: true });
    try {
      return await run();
    } finally {
      outer?.abort.signal.removeEventListener('abort', abortToo);
    }
  });
}

/** Aborts what was sent when the request's time is up or its answer is given; undefined outside of a request. */
export function currentSignal(): AbortSignal | undefined {
  return current.getStore()?.abort.signal;
}

/** Whether the request may still send something; always outside of one. */
export function hasTime(): boolean {
  const limit = current.getStore();
  return limit === undefined || (!limit.abort.signal.aborted && now().getTime() < limit.endsAt);
}

/** Comes before each send, the SDK's retries too. Refuses with 503 when the request's time is up. */
export function requireTime(): void {
  if (!hasTime()) throw outOfTime();
}

/** The error of a request that ran out of time: 503. */
export function outOfTime(cause?: unknown): ServiceError {
  return new ServiceError('unavailable', { detail: 'The database is slow right now. Try again.', cause });
}
