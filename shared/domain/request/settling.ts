import { closedSeconds } from '#shared/contract/time-bounds.ts';
import { now, outOfTime, pause } from '#shared/core/clock.ts';
import { config } from '#shared/core/config.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { hasPassed } from '#shared/core/expiry.ts';
import { type TransactEntry, transact } from '#shared/table/client.ts';

/** Less than the function's own time-out, so that it can still answer. */
const deletionMilliseconds = 24_000;

/** The time that one request may spend on a deletion; what is left over, a repeated request does. */
export interface DeletionTime {
  /** One that has none stops between two pages. */
  readonly hasTime: () => boolean;
  /** Waits until then, in milliseconds since the epoch; false when no time is left then, at once if that is known. */
  readonly waitUntil: (time: number) => Promise<boolean>;
}

/** The time of a deletion that begins now. */
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

/** From when on no write takes effect any more that began before now. By one clock: that of this process. */
export function settlesAt(): number {
  return now().getTime() + config().settleSeconds * 1000;
}

/** What may be deleted only when it is not in use. */
export interface Closable {
  readonly kind: ClosableKind;
  /** The entries that refuse its use until then, and that take this back. */
  readonly close: (until: string) => TransactEntry;
  readonly reopen: (until: string) => TransactEntry;
}

type ClosableKind = 'role' | 'application';

/**
 * Closes what may be deleted, and runs once no use can be under way any more that began before: what it then finds stays
 * true. What it refuses, or fails with, opens it again. The closing outlasts any request, so it holds for the whole of this
 * one, and ends by itself.
 */
export async function whileClosed<Result>(
  { kind, close, reopen }: Closable,
  time: DeletionTime,
  run: (until: string) => Promise<Result>,
): Promise<Result> {
  const until = new Date(now().getTime() + closedSeconds * 1000).toISOString();
  const closed = await transact([close(until)]);
  if (closed.kind !== 'committed') throw changedMeanwhile(kind);
  try {
    if (!(await time.waitUntil(settlesAt()))) throw outOfTime();
    return await run(until);
  } catch (error) {
    await transact([reopen(until)]);
    throw error;
  }
}

/** The error of a deletion whose closing somebody else has replaced: 503. */
export function changedMeanwhile(kind: ClosableKind): ServiceError {
  return new ServiceError('unavailable', { detail: `Somebody else is changing this ${kind} right now. Try again.` });
}

/** Refuses the use of what is perhaps being deleted: 503, for some seconds. */
export function requireNotClosed(kind: ClosableKind, closedUntil: string | undefined, at: Date): void {
  if (closedUntil === undefined || hasPassed(closedUntil, at)) return;
  throw new ServiceError('unavailable', {
    detail: `Somebody is about to delete this ${kind}. Try again in some seconds.`,
    headers: { 'retry-after': '5' },
  });
}
