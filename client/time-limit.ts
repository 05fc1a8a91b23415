/** Runs something with a signal that aborts when the time is over or the caller's signal aborts. */
export async function withTimeLimit<Result>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const end = () => limit.abort('time-out');
  const timer = setTimeout(end, milliseconds);
  signal?.addEventListener('abort', end, { signal: limit.signal });
  try {
    return await run(limit.signal);
  } finally {
    clearTimeout(timer);
    // Removes the listener from the caller's signal.
    end();
  }
}

/** Waits, or until the caller's signal aborts, which the next step reports. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<unknown> {
  return withTimeLimit(
    milliseconds,
    signal,
    (limited) =>
      new Promise((resolve) => {
        limited.onabort = resolve;
      }),
  );
}
