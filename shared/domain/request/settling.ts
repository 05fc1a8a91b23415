import { closedSeconds } from '#shared/contract/time-bounds.ts';
import { now, pause } from '#shared/core/clock.ts';
import { config } from '#shared/core/config.ts';

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

/** Until when something is closed from now on. Longer than any request, so that it holds for the whole of this one. */
export function closedUntil(): string {
  return new Date(now().getTime() + closedSeconds * 1000).toISOString();
}
