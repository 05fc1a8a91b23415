import { useRef } from 'react';
import { isUnanswered } from '../api/problem-error.ts';
import { type Expiry, expiryTimestamp } from './expiry-field.tsx';

/**
 * The end that a form sends: undefined while its input is incomplete. While the outcome of the last request is unknown, the
 * same choice gives the same end, so that a retry is the same action and "1 hour from now" counts from the first attempt.
 */
export function useEnd(expiry: Expiry, error: Error | null): () => string | null | undefined {
  const sent = useRef<{ readonly expiry: Expiry; readonly end: string | null | undefined }>(undefined);
  return () => {
    if (sent.current?.expiry === expiry && isUnanswered(error)) return sent.current.end;
    sent.current = { expiry, end: expiryTimestamp(expiry, Date.now()) };
    return sent.current.end;
  };
}
