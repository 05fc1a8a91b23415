import * as v from 'valibot';
import { fieldErrors, inputSchemas } from '#shared/contract/fields.ts';
import { manageOperations } from '#shared/contract/operations.ts';
import type { FieldError } from '#shared/contract/problems.ts';
import type { Api, WriteName } from './create-api.ts';
import { isUnanswered, ProblemError } from './problem-error.ts';

/** Sends writes to the Management API. */
export type Writer = Api<WriteName>;

/**
 * Sends the writes of one form or switch after validating their input, each action under one `Idempotency-Key`. Retrying the
 * same request after a failure with an unknown outcome is the same action, so it takes effect once. A different request is a
 * new action, and so is the same one after a response: the service would replay that response for a day.
 */
export function createWriter(api: Api): Writer {
  let latest: { readonly request: string; readonly idempotencyKey: string } | undefined;
  return async (name, input) => {
    const { path, query, body, ifMatch } = input;
    checkInput(name, input);
    const request = JSON.stringify([name, path, query, body, ifMatch]);
    const action = latest?.request === request ? latest : { request, idempotencyKey: crypto.randomUUID() };
    latest = action;
    try {
      const answer = await api(name, { ...input, idempotencyKey: action.idempotencyKey });
      end(action);
      return answer;
    } catch (error) {
      if (!isUnanswered(error as Error)) end(action);
      throw error;
    }
  };
  function end(action: typeof latest): void {
    if (latest === action) latest = undefined;
  }
}

/** The parts of a request that come from the operator's input. */
export interface CheckedInput {
  readonly path?: object;
  readonly body?: object;
}

/**
 * Validates input before it is sent, by the schemas of the operation's record: throws the problem that the service would
 * return, with the same pointers and words.
 */
function checkInput(name: WriteName, { path = {}, body }: CheckedInput): void {
  const schemas = inputSchemas(manageOperations[name]);
  const errors = [
    ...fieldErrors(v.safeParse(schemas.path, path).issues, 'path:'),
    ...fieldErrors(v.safeParse(schemas.body, body).issues, '#'),
  ];
  if (errors.length > 0) throw invalidInput(errors);
}

function invalidInput(errors: readonly FieldError[]): ProblemError {
  return new ProblemError({
    status: 400,
    code: 'invalid_request',
    title: "This can't be saved yet",
    detail: 'Nothing was sent. Correct the errors and try again.',
    errors: [...errors],
  });
}
