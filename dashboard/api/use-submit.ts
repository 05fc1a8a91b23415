import { useState } from 'react';
import { type ProblemError, toProblem } from './problem-error.ts';

/** A request that somebody makes by a button. */
export interface Submission<Input> {
  readonly pending: boolean;
  /** Why the last one was refused. */
  readonly problem: ProblemError | undefined;
  submit(input: Input): Promise<void>;
  forget(): void;
}

/** Runs one action at a time, and keeps what it was refused for. */
export function useSubmit<Input = void>(action: (input: Input) => Promise<void>): Submission<Input> {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<ProblemError>();
  const submit = async (input: Input) => {
    if (pending) return;
    setPending(true);
    setProblem(undefined);
    try {
      await action(input);
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setPending(false);
    }
  };
  return { pending, problem, submit, forget: () => setProblem(undefined) };
}
