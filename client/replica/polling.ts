import { unref } from './knowledge.ts';

/** Polls one time after the other. */
export interface Polling {
  /** Resolves when the signal has aborted and the last poll has ended. */
  readonly stopped: Promise<void>;
  /** From now on its timer lets the process end. */
  release(): void;
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
      // Whoever waits for the end would not see it by a timer that lets the process end.
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
    release() {
      isReleased = true;
      unref(timer);
    },
  };
}

/** With its jitter it is 30 seconds. */
export const maxBackOffMs = 25_000;
const maxRetryAfterSeconds = 300;

/** Up to a fifth more or less, so that replicas do not poll together. */
export function jitter(milliseconds: number): number {
  return milliseconds * (0.8 + 0.4 * Math.random());
}

/** How long to wait after a failure, with so many before it: twice as long each time, or as long as the server asks. */
export function backOff(firstMs: number, failures: number, retryAfterSeconds = 0): number {
  const milliseconds = jitter(Math.min(firstMs * 2 ** failures, maxBackOffMs));
  return Math.max(milliseconds, Math.min(retryAfterSeconds, maxRetryAfterSeconds) * 1000);
}
