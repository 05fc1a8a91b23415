import type { ServiceTime } from './decide-locally.ts';

/** When all was known by the service's time, and by how much that is ahead of this machine's; in milliseconds. */
export type KnownAt = readonly [at: number, ahead: number];

/** Tells the service's time, and how much of it has passed since all was known. */
export interface ServiceClock {
  now(): ServiceTime;
  /** Returns what to call, with the `date` of the answer or 0, once all is known that is asked for now. */
  ask(): (date: number) => void;
  knownAt(): KnownAt;
}

/**
 * A clock that the dates of answers set, beginning as it was stored. Time passes by whichever of two clocks has gone further:
 * `Date.now()` can be set back, and `performance.now()` stands still while the machine sleeps. How far `now` is ahead of
 * this machine, as a test has moved it, does not age what is known.
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
        // A date has whole seconds. This machine's clock is finer, so it is moved only as far as it must be wrong.
        if (date) ahead = Math.min(Math.max(ahead, date - now()), date - moved() + 999 - askedAt);
        [wall, monotonic] = [askedAt, askedMonotonic];
      };
    },
    knownAt: () => [wall + ahead, ahead],
  };
}
