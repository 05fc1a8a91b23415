import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt } from 'node:crypto';
import { ServiceError } from './errors.ts';

/** The current time; the only place that reads the clock. */
export function now(): Date {
  return new Date();
}

/**
 * A stored time that is later than this after now was not written by the service, whatever clocks say: it is not continued, so
 * that it does not keep its item from being changed.
 */
const impossibleAheadSeconds = 86_400;

/** Whether the service can have stored this time, in milliseconds since the epoch, whatever its clocks say. */
export function isPossible(time: number): boolean {
  return time <= now().getTime() + impossibleAheadSeconds * 1000;
}

/** Resolves after a number of milliseconds. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A whole number of milliseconds from 0 to `limit`, to spread retries. */
export function jitter(limitMilliseconds: number): number {
  return randomInt(limitMilliseconds + 1);
}

/** The deadline of a request, or of one attempt of its write. */
interface TimeLimit {
  /** In milliseconds since the epoch. By the wall clock, because the monotonic clock stops while a process is frozen. */
  readonly endsAt: number;
  readonly abort: AbortController;
}

const current = new AsyncLocalStorage<TimeLimit>();

/** Abort reasons. Texts, because aborting without a reason creates an error with a stack trace for each request. */
const [timeIsUp, hasEnded] = ['The request has run out of time', 'The request has been answered'] as const;

/**
 * Runs a request that may send to DynamoDB and KMS until this time, in milliseconds since the epoch, and sends nothing
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

/** Runs a part of the current request with a time limit; never past the request's own deadline. */
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

/** Aborts what was sent when the request runs out of time or is answered; undefined outside a request. */
export function currentSignal(): AbortSignal | undefined {
  return current.getStore()?.abort.signal;
}

/** Whether the request may still send anything; always true outside a request. */
export function hasTime(): boolean {
  const limit = current.getStore();
  return limit === undefined || (!limit.abort.signal.aborted && now().getTime() < limit.endsAt);
}

/** Runs before each send, including the SDK's retries. Refuses with 503 when the request has run out of time. */
export function requireTime(): void {
  if (!hasTime()) throw outOfTime();
}

/** The error of a request that ran out of time: 503. */
export function outOfTime(cause?: unknown): ServiceError {
  return new ServiceError('unavailable', { detail: 'The database is responding slowly. Try again.', cause });
}
