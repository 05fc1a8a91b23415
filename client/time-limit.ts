/** The abort reason of a time limit. */
export const timeOut = 'time-out';

/**
 * Limits the time of a function. When the time is over or the caller's signal aborts, it rejects with `timeOut` immediately,
 * even if the function ignores its signal.
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
      // Aborting also removes the listener from the caller's signal.
      limit.abort(timeOut);
      reject(timeOut);
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end, { signal: limit.signal });
    if (signal?.aborted) end();
    else run(limit.signal).then(resolve, reject).finally(end);
  });
}

/** Waits until the time is over or the caller's signal aborts, which the next step reports. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return withTimeLimit<void>(milliseconds, signal, () => new Promise(() => {})).catch(() => {});
}
