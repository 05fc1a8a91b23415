import { useRef } from 'react';
import { isUnanswered } from '../api/problem-error.ts';
import { type Expiry, expiryTimestamp } from './expiry-field.tsx';

/**
 * The end that a form sends: undefined while its input is incomplete. As long as the outcome of the last request is open, the
 * same choice is the same end, so that what is sent again is the same action, and "in 1 hour" is an hour after the first try.
 */
export function useEnd(expiry: Expiry, error: Error | null): () => string | null | undefined {
  const sent = useRef<{ readonly expiry: Expiry; readonly end: string | null | undefined }>(undefined);
  return () => {
    if (sent.current?.expiry === expiry && isUnanswered(error)) return sent.current.end;
    sent.current = { expiry, end: expiryTimestamp(expiry, Date.now()) };
    return sent.current.end;
  };
}
