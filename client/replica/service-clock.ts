import type { ServiceTime } from './decide-locally.ts';

/** The service's time of the last complete poll, and by how much it is ahead of this machine's; in milliseconds. */
export type KnownAt = readonly [at: number, ahead: number];

/** Estimates the service's time, and how much has passed since the last complete poll. */
export interface ServiceClock {
  now(): ServiceTime;
  /** Starts a poll; call the result with the `date` of the last response, or 0, when the poll is complete. */
  ask(): (date: number) => void;
  knownAt(): KnownAt;
}

/**
 * A clock that starts with a stored time and is set by the dates of responses. It uses whichever of two clocks has advanced
 * further: `Date.now()` can be set back, and `performance.now()` stops while the machine sleeps. Moving `now` ahead of this
 * machine's time, as tests do, does not age the data.
 */
export function createServiceClock(now: () => number, [at, stored]: KnownAt = [Date.now(), 0]): ServiceClock {
  const moved = () => now() - Date.now();
  let ahead = stored;
  let wall = at - ahead;
  let monotonic = performance.now() - Math.max(0, Date.now() - wall);
  return {
    now() {
      const passed = Math.max(Date.now() - wall, performance.now() - monotonic);
      return [wall + ahead + moved() + passed, passed / 1000];
    },
    ask() {
      const [askedAt, askedMonotonic] = [Date.now(), performance.now()];
      return (date) => {
        // A date has whole seconds. This machine's clock is finer, so it is corrected only as far as it is certainly wrong.
        if (date) ahead = Math.min(Math.max(ahead, date - now()), date - moved() + 999 - askedAt);
        [wall, monotonic] = [askedAt, askedMonotonic];
      };
    },
    knownAt: () => [wall + ahead, ahead],
  };
}
