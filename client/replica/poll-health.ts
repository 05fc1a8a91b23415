import { backOff } from './polling.ts';

/** How polling the service has gone since the last success. */
export interface PollHealth {
  /** Whether the last poll failed. */
  readonly isFailing: boolean;
  /** Whether the service has rejected the key, possibly before a restart. */
  readonly isRefused: boolean;
  /** Notes a complete poll. */
  succeed(): void;
  /** Notes that the service has rejected the key. */
  refuse(): void;
  /** Counts a failure. Returns how many milliseconds to wait: `firstMs` after the first, twice as long after each further one. */
  backOff(firstMs: number, retryAfterSeconds?: number): number;
}

/** Begins without failures. `isRefused` is what the file says about the key. */
export function createPollHealth(isRefused = false): PollHealth {
  let failures = 0;

  return {
    get isFailing() {
      return failures > 0;
    },
    get isRefused() {
      return isRefused;
    },
    succeed() {
      failures = 0;
      isRefused = false;
    },
    refuse() {
      isRefused = true;
    },
    backOff: (firstMs, retryAfterSeconds) => backOff(firstMs, failures++, retryAfterSeconds),
  };
}
