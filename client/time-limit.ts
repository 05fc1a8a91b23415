/** The reason with which a time limit ends what it limits. */
export const timeOut = 'time-out';

/**
 * Runs something for so long at most. When the time is over or the caller's signal aborts, it rejects with `timeOut` at
 * once, also if what runs takes no notice of the signal that it gets.
 */
export function withTimeLimit<Result>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const limit = new AbortController();
    const end = () => {
      clearTimeout(timer);
      // Also removes the listener from the caller's signal.
      limit.abort(timeOut);
      reject(timeOut);
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end, { signal: limit.signal });
    if (signal?.aborted) end();
    else run(limit.signal).then(resolve, reject).finally(end);
  });
}

/** Waits, or until the caller's signal aborts, which the next step reports. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return withTimeLimit<void>(milliseconds, signal, () => new Promise(() => {})).catch(() => {});
}
