import { UnavailableError } from './client-error.ts';
import { maxSeconds, readOptions } from './read-options.ts';

/** When the client stops sending requests to a service that does not answer. */
export interface CircuitOptions {
  /** The number of consecutive timed-out calls that opens the circuit; 3 by default. `Infinity` keeps it closed. */
  readonly timeouts?: number;
  /** How long calls then fail immediately, until one call is let through as a probe; 5 by default. */
  readonly openSeconds?: number;
}

/** Keeps calls from waiting for a service that does not answer. */
export interface Circuit {
  /** Call before each call. Throws `circuit_open` while the circuit is open. */
  enter(): void;
  /** Records after a call whether it timed out. */
  leave(timedOut: boolean): void;
}

/** Creates a closed circuit. */
export function createCircuit(options: CircuitOptions = {}): Circuit {
  const { timeouts = 3, openSeconds = 5 } = readOptions('circuit', options, {
    timeouts: Number.POSITIVE_INFINITY,
    openSeconds: maxSeconds,
  });
  let count = 0;
  let closedAt = 0;
  const open = () => {
    closedAt = performance.now() + openSeconds * 1000;
  };
  return {
    enter() {
      if (count < timeouts) return;
      const retryAfterSeconds = (closedAt - performance.now()) / 1000;
      if (retryAfterSeconds > 0)
        throw new UnavailableError({ code: 'circuit_open', detail: `${count} calls timed out`, retryAfterSeconds });
      // This call is the probe. The others keep failing until it has ended.
      open();
    },
    leave(timedOut) {
      count = timedOut ? count + 1 : 0;
      open();
    },
  };
}
