/** Runs something with a signal that says when its time is over or the caller has enough. */
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
    // Takes the listener off the caller's signal.
    end();
  }
}

/** Waits, or until the caller has enough; whatever comes next says so. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await withTimeLimit(milliseconds, signal, waitForEnd);
}

function waitForEnd(limited: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    limited.onabort = resolve;
  });
}
