import type { AuthServiceError } from './client-error.ts';

/** The most by which an answer moves the clock. */
const maxOffset = 300_000;

/** The time by which requests are signed. */
export interface ServerClock {
  /** How many milliseconds the service is ahead of this machine; never more than 0 for a write. */
  offset(reads: boolean): number;
  /** Sets the clock by a 401 `clock_skew`, and by nothing else; returns whether the offset is another one now. */
  correct(error: AuthServiceError, reads: boolean): boolean;
}

/**
 * Creates a clock that follows the service's by five minutes at most. No write is signed ahead of this machine's own time:
 * who forges an answer on the way could otherwise hold the signed write back, and send it later.
 */
export function createServerClock(): ServerClock {
  let ahead = 0;
  const offset = (reads: boolean) => (reads ? ahead : Math.min(0, ahead));
  return {
    offset,
    correct({ status, code, problem }, reads) {
      const before = offset(reads);
      if (status === 401 && code === 'clock_skew')
        ahead = Math.max(-maxOffset, Math.min(maxOffset, Date.parse(problem?.serverTime) - Date.now())) || 0;
      return offset(reads) !== before;
    },
  };
}
