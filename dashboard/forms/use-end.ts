import { useRef } from 'react';
import { isUnanswered } from '../api/problem-error.ts';
import type { Action } from '../api/use-action.ts';
import { type Expiry, expiryTimestamp } from './chosen-expiry.ts';

/** What a form knows of its last submission. */
export type Submitted = Pick<Action<unknown, never>, 'isBusy' | 'error'>;

/**
 * A time that a form sends and that its input determines together with the clock. While a submission is in flight, and after one
 * whose outcome is unknown, the same choice gives the same time: a second click and a retry are then the same action, and
 * "1 hour from now" counts from the first attempt.
 */
export function useSentTime<Choice, Time>(
  choice: Choice,
  { isBusy, error }: Submitted,
  timeOf: (choice: Choice, now: number) => Time,
): () => Time {
  const sent = useRef<{ readonly choice: Choice; readonly time: Time }>(undefined);
  return () => {
    const isSame = sent.current?.choice === choice && (isBusy() || isUnanswered(error));
    if (!isSame || sent.current === undefined) sent.current = { choice, time: timeOf(choice, Date.now()) };
    return sent.current.time;
  };
}

/** The end that a form sends: undefined while its input is incomplete. */
export function useEnd(expiry: Expiry, submitted: Submitted): () => string | null | undefined {
  return useSentTime(expiry, submitted, expiryTimestamp);
}
