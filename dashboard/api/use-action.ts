import {
  type UseMutateFunction,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
} from '@tanstack/react-query';
import { useRef, useState } from 'react';

/** A write of a form, a switch or a button. */
export type Action<Answer, Input = void> = UseMutationResult<Answer, Error, Input> & {
  /** Whether a submission would be ignored: known at once, while `isPending` is known once the page is rendered. */
  isBusy(): boolean;
};

export interface ActionOptions<Answer, Input> extends UseMutationOptions<Answer, Error, Input> {
  /** Whether it can be submitted again after a success, as a switch can. Default: no, as a success closes the form. */
  readonly isRepeatable?: boolean;
}

/**
 * A mutation that runs once at a time. From a submission until the page shows its outcome, further submissions are ignored: on a
 * slow computer, the second click of a double click comes before the page is rendered without the button.
 */
export function useAction<Answer, Input = void>(options: ActionOptions<Answer, Input>): Action<Answer, Input> {
  const { isRepeatable = false, ...mutationOptions } = options;
  const begun = useRef(0);
  // How many submissions have an outcome that is rendered here.
  const [shown, setShown] = useState(0);
  const mutation = useMutation({
    ...mutationOptions,
    onSettled: async (...outcome) => {
      await mutationOptions.onSettled?.(...outcome);
      const [, error] = outcome;
      if (error !== null || isRepeatable) setShown((before) => before + 1);
    },
  });
  const isBusy = () => begun.current > shown;
  const mutate: UseMutateFunction<Answer, Error, Input> = (...submission) => {
    if (isBusy()) return;
    begun.current += 1;
    mutation.mutate(...submission);
  };
  return { ...mutation, mutate, isBusy };
}
