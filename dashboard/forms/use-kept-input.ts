import { type RefObject, useEffect, useRef, useState } from 'react';
import { useSession } from '../session/dashboard-context.ts';
import { type Draft, saveDraft, takeDraft } from '../session/drafts.ts';
import { useLeaving } from '../shell/browser-history.tsx';
import { readFields, writeFields } from './field-values.ts';

export interface KeptInputOptions {
  /** Distinguishes the form from others of the same page. */
  readonly name: string;
  /** Whether the input is being sent; then leaving does not ask. Default: no. */
  readonly isPending?: boolean;
  /** Whether the input is what is stored already. Default: no. */
  readonly isSaved?: boolean;
}

/** What was typed into a form, which is not lost without a question. */
export interface KeptInput {
  /** The element that contains the fields, and the listener for what is typed into them. */
  readonly within: RefObject<HTMLDivElement | null>;
  readonly note: () => void;
  /** Moves the focus back to where something was typed last. */
  readonly refocus: () => void;
  /** Whether something was entered that leaving would lose. */
  readonly isAtRisk: boolean;
  /** Whether the input of a session that had ended has been entered again. */
  readonly wasRestored: boolean;
  /** Whether the operator is leaving, such as with Back, and how to answer. */
  readonly isLeaving: boolean;
  readonly stay: () => void;
  readonly leave: () => void;
}

/**
 * Keeps what is typed into a form: Back and closing or reloading the tab ask first, and what was typed when the session ended
 * comes back when the form is opened again.
 */
export function useKeptInput({ name, isPending = false, isSaved = false }: KeptInputOptions): KeptInput {
  const { session, state } = useSession();
  const within = useRef<HTMLDivElement>(null);
  const entered = useRef<Draft>(undefined);
  const typedAt = useRef<HTMLElement>(undefined);
  const [isEntered, setEntered] = useState(false);
  const [wasRestored, setRestored] = useState(false);
  const operator = useRef('');
  if (state.kind === 'in') operator.current = state.id;
  const form = useRef(`${location.pathname} ${name}`);
  const hasInput = isEntered && !isSaved;
  const isAtRisk = hasInput && !isPending;
  const leaving = useLeaving(isAtRisk);
  const latest = useRef(hasInput);
  latest.current = hasInput;
  useEffect(() => {
    // A dialog renders its content after this effect.
    const timer = setTimeout(() => {
      const draft = within.current === null ? undefined : takeDraft(operator.current, form.current);
      if (draft === undefined || within.current === null) return;
      writeFields(within.current, draft);
      setRestored(true);
    });
    return () => {
      clearTimeout(timer);
      const now = session.state();
      if (now.kind === 'in' || now.why !== 'expired' || !latest.current || entered.current === undefined) return;
      saveDraft(operator.current, form.current, entered.current);
    };
  }, [session]);
  useLeaveWarning(isAtRisk);
  return {
    within,
    refocus: () => typedAt.current?.focus(),
    note: () => {
      if (document.activeElement instanceof HTMLElement) typedAt.current = document.activeElement;
      if (within.current !== null) entered.current = readFields(within.current);
      setEntered(true);
    },
    isAtRisk,
    wasRestored,
    isLeaving: leaving.isAsked,
    stay: leaving.stay,
    leave: leaving.leave,
  };
}

/** Makes the browser ask before the tab is closed or reloaded, while something would be lost. */
export function useLeaveWarning(isAtRisk: boolean): void {
  useEffect(() => {
    if (!isAtRisk) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isAtRisk]);
}
