import { AsyncLocalStorage } from 'node:async_hooks';
import { now } from './clock.ts';
import { ServiceError } from './errors.ts';

/** What a request has cost at the table until now. */
export interface Usage {
  /** Requests on the wire, the SDK's retries among them. */
  dynamoDbRequests: number;
  /** Capacity units, as far as DynamoDB reported them: a cancelled transaction reports none. */
  consumedCapacity: number;
}

/** A request, or one attempt of its write: what it has cost, and until when it may send anything. */
interface RequestScope {
  readonly usage: Usage;
  /** In milliseconds since the epoch. By the wall clock, because a frozen process's monotonic clock stands still. */
  readonly endsAt: number;
  readonly abort: AbortController;
}

const current = new AsyncLocalStorage<RequestScope>();

/**
 * Runs a request that may send to DynamoDB and KMS until this time, in milliseconds since the epoch, and nothing any more
 * once it has answered.
 */
export async function runRequest<T>(endsAt: number, run: () => Promise<T>): Promise<T> {
  return runScope({ usage: { dynamoDbRequests: 0, consumedCapacity: 0 }, endsAt, abort: new AbortController() }, run);
}

/** Runs a part of the current request that may take so long at most; ends no later than the request. */
export async function runWithin<T>(milliseconds: number, run: () => Promise<T>): Promise<T> {
  const outer = current.getStore();
  const endsAt = Math.min(now().getTime() + milliseconds, outer?.endsAt ?? Number.POSITIVE_INFINITY);
  const abort = new AbortController();
  const abortToo = () => abort.abort();
  outer?.abort.signal.addEventListener('abort', abortToo, { once: true });
  try {
    const usage = outer?.usage ?? { dynamoDbRequests: 0, consumedCapacity: 0 };
    return await runScope({ usage, endsAt, abort }, run);
  } finally {
    outer?.abort.signal.removeEventListener('abort', abortToo);
  }
}

async function runScope<T>(scope: RequestScope, run: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => scope.abort.abort(), scope.endsAt - now().getTime());
  try {
    return await current.run(scope, run);
  } finally {
    clearTimeout(timer);
    scope.abort.abort();
  }
}

/** The usage of the request in whose course this is called; undefined outside of one. */
export function currentUsage(): Usage | undefined {
  return current.getStore()?.usage;
}

/** Aborts what was sent when the request's time is up or its answer is given; undefined outside of a request. */
export function currentSignal(): AbortSignal | undefined {
  return current.getStore()?.abort.signal;
}

/** Whether the request may still send something; always outside of one. */
export function hasTime(): boolean {
  const scope = current.getStore();
  return scope === undefined || (!scope.abort.signal.aborted && now().getTime() < scope.endsAt);
}

/** Comes before each send, the SDK's retries too. Refuses with 503 when the request's time is up. */
export function requireTime(): void {
  if (!hasTime()) throw outOfTime();
}

/** The error of a request that ran out of time: 503. */
export function outOfTime(cause?: unknown): ServiceError {
  return new ServiceError('unavailable', { detail: 'The database is slow right now. Try again.', cause });
}
