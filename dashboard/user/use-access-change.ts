import { useState } from 'react';
import type { Access, ChangedAccess } from '#shared/contract/access.ts';
import { type ProblemError, toProblem } from '../api/problem-error.ts';

/** A write to one access, guarded by the version that was seen. */
export interface AccessWrite {
  /** What it does, for the dialog that asks whether to go on: `Turn Billing off`. */
  readonly intent: string;
  /** What the switch shows meanwhile, if it is about the switch. */
  readonly turns?: 'on' | 'off';
  readonly send: (ifMatch: number) => Promise<ChangedAccess>;
  readonly done?: (answer: ChangedAccess) => void;
}

/** What becomes of writes to one access. */
export interface AccessChange {
  readonly pending: AccessWrite | undefined;
  /** Why the last write was refused. */
  readonly problem: ProblemError | undefined;
  /** The write that met another version, and the version that had been seen. */
  readonly conflict: { readonly write: AccessWrite; readonly seen: number } | undefined;
  /** True when it took effect. */
  run(write: AccessWrite, ifMatch?: number): Promise<boolean>;
  forget(): void;
}

/** Sends writes to one access; the answer goes to `put`, a refusal is kept, and 412 becomes a conflict to settle. */
export function useAccessChange(access: Access, put: (access: Access) => void): AccessChange {
  const [pending, setPending] = useState<AccessWrite>();
  const [problem, setProblem] = useState<ProblemError>();
  const [conflict, setConflict] = useState<AccessChange['conflict']>();
  const run = async (write: AccessWrite, ifMatch = access.version) => {
    setPending(write);
    setProblem(undefined);
    setConflict(undefined);
    try {
      const answer = await write.send(ifMatch);
      put(answer);
      write.done?.(answer);
      return true;
    } catch (error) {
      const refusal = toProblem(error);
      if (refusal.code === 'version_mismatch') setConflict({ write, seen: ifMatch });
      else setProblem(refusal);
      return false;
    } finally {
      setPending(undefined);
    }
  };
  const forget = () => {
    setProblem(undefined);
    setConflict(undefined);
  };
  return { pending, problem, conflict, run, forget };
}
