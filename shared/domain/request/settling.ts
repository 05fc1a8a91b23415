import { closedSeconds } from '#shared/contract/time-bounds.ts';
import { now, outOfTime, pause } from '#shared/core/clock.ts';
import { config } from '#shared/core/config.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { hasPassed } from '#shared/core/expiry.ts';
import { type TransactEntry, transact } from '#shared/table/client.ts';

/** Less than the function's timeout, so that it can still answer. */
const deletionMilliseconds = 24_000;

/** The time that one request may spend on a deletion; a repeated request continues it. */
export interface DeletionTime {
  /** Checked between two pages. */
  readonly hasTime: () => boolean;
  /** Waits until then, in milliseconds since the epoch; false if no time will be left, immediately if that is known. */
  readonly waitUntil: (time: number) => Promise<boolean>;
}

/** Starts the time limit of a deletion. */
export function startDeletion(): DeletionTime {
  const end = now().getTime() + deletionMilliseconds;
  const hasTime = () => now().getTime() < end;
  return {
    hasTime,
    waitUntil: async (time) => {
      if (time >= end) return false;
      await pause(Math.max(0, time - now().getTime()));
      return hasTime();
    },
  };
}

/** The time from which no write that began before now can take effect, by this process's clock. */
export function settlesAt(): number {
  return now().getTime() + config().settleSeconds * 1000;
}

/** A resource that may be deleted only while it is not in use. */
export interface Closable {
  readonly kind: ClosableKind;
  /** The entries that refuse its use until then, and that allow it again. */
  readonly close: (until: string) => TransactEntry;
  readonly reopen: (until: string) => TransactEntry;
}

type ClosableKind = 'role' | 'application';

/**
 * Closes the resource and runs once no earlier use can still be in progress, so that the findings of `run` stay
 * true. A refusal or failure of `run` reopens the resource. The closing outlasts any request, so it lasts for this
 * whole one, and expires.
 */
export async function whileClosed<Result>(
  { kind, close, reopen }: Closable,
  time: DeletionTime,
  run: (until: string) => Promise<Result>,
): Promise<Result> {
  const until = new Date(now().getTime() + closedSeconds * 1000).toISOString();
  const closed = await transact([close(until)]);
  if (closed.kind !== 'committed') throw concurrentChange(kind);
  try {
    if (!(await time.waitUntil(settlesAt()))) throw outOfTime();
    return await run(until);
  } catch (error) {
    await transact([reopen(until)]);
    throw error;
  }
}

/** The error of a deletion whose closing another request has replaced: 503. */
export function concurrentChange(kind: ClosableKind): ServiceError {
  return new ServiceError('unavailable', { detail: `This ${kind} is being modified. Try again.` });
}

/** Refuses the use of a resource that may be about to be deleted: 503, for some seconds. */
export function requireNotClosed(kind: ClosableKind, closedUntil: string | undefined, at: Date): void {
  if (closedUntil === undefined || hasPassed(closedUntil, at)) return;
  throw new ServiceError('unavailable', {
    detail: `This ${kind} may be about to be deleted. Try again in a few seconds.`,
    headers: { 'retry-after': '5' },
  });
}
