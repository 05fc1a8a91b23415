import { useCallback, useEffect, useState } from 'react';
import { type ProblemError, toProblem } from './problem-error.ts';

/** Something that is asked for, with the value of the last answer. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly problem: ProblemError | undefined;
  readonly loading: boolean;
  /** Asks again; the value stays meanwhile. */
  reload(): void;
  /** Puts in a newer value without asking. */
  replace(change: (value: T) => T): void;
}

/** Loads with every new `load` (wrap it in useCallback), and breaks off the request that nobody waits for any more. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ value?: T; problem?: ProblemError; of?: unknown }>({});
  const [attempt, setAttempt] = useState(0);
  const [settled, setSettled] = useState(-1);
  useEffect(() => {
    const leaving = new AbortController();
    load(leaving.signal)
      .then((value) => ({ value, of: load }))
      .catch((error: unknown) => ({ problem: toProblem(error), of: load }))
      .then((next) => {
        if (leaving.signal.aborted) return;
        setState(next);
        setSettled(attempt);
      });
    return () => leaving.abort();
  }, [load, attempt]);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  const replace = useCallback((change: (value: T) => T) => {
    setState((current) => (current.value === undefined ? current : { ...current, value: change(current.value) }));
  }, []);
  const isCurrent = state.of === load;
  const { value, problem } = isCurrent ? state : {};
  return { value, problem, loading: !isCurrent || settled !== attempt, reload, replace };
}
