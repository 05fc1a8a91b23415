import { unref } from './knowledge.ts';

/** A loop of sequential polls. */
export interface Polling {
  /** Resolves when the signal has aborted and the last poll has ended. */
  readonly stopped: Promise<void>;
  /** Lets the process exit while the loop waits. */
  release(): void;
  /** Ends the current wait, so that the next poll begins. */
  wake(): void;
}

/** Polls until the signal aborts; each poll returns how long to wait for the next, in milliseconds. */
export function startPolling(poll: () => Promise<number>, signal: AbortSignal): Polling {
  let isReleased = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wake = () => {};
  signal.onabort = () => wake();

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const milliseconds = await poll();
      // With an unreferenced timer, the process could exit before `stopped` resolves.
      if (signal.aborted) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, milliseconds);
        if (isReleased) unref(timer);
      });
      clearTimeout(timer);
    }
  }

  return {
    stopped: run(),
    wake: () => wake(),
    release() {
      isReleased = true;
      unref(timer);
    },
  };
}

/** At most 30 seconds with jitter. */
export const maxBackOffMs = 25_000;
const maxRetryAfterSeconds = 300;

/** Adds 20 % jitter, so that replicas do not poll in sync. */
export function jitter(milliseconds: number): number {
  return milliseconds * (0.8 + 0.4 * Math.random());
}

/** How long to wait after a failure: doubles with each earlier failure, and is at least as long as the server asks. */
export function backOff(firstMs: number, failures: number, retryAfterSeconds = 0): number {
  const milliseconds = jitter(Math.min(firstMs * 2 ** failures, maxBackOffMs));
  return Math.max(milliseconds, Math.min(retryAfterSeconds, maxRetryAfterSeconds) * 1000);
}
