import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useState } from 'react';

/** Deletes; calls `onWait` whenever the service answers that it is not complete yet. */
export type Delete<Input> = (onWait: () => void, input: Input) => Promise<unknown>;

/** A mutation that deletes, and the words for what it waits for, if it does. */
export type Deletion<Input> = UseMutationResult<unknown, Error, Input> & { readonly waiting: string | undefined };

/** A deletion. It waits at the service until every request that was under way has ended, a few seconds. */
export function useDeletion<Input = void>(remove: Delete<Input>, onSuccess?: () => void): Deletion<Input> {
  const [isWaiting, setWaiting] = useState(false);
  const mutation = useMutation({
    mutationFn: (input: Input) => remove(() => setWaiting(true), input),
    onSuccess: () => onSuccess?.(),
    onSettled: () => setWaiting(false),
  });
  return {
    ...mutation,
    waiting: isWaiting ? 'Still deleting: waiting until running requests have ended…' : undefined,
  };
}
