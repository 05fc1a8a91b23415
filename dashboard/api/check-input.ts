import * as v from 'valibot';
import { fieldErrors, inputSchemas } from '#shared/contract/fields.ts';
import { manageOperations } from '#shared/contract/operations.ts';
import type { FieldError } from '#shared/contract/problems.ts';
import type { WriteName } from './create-api.ts';
import { ProblemError } from './problem-error.ts';

/** The parts of a request that come from the operator's input. */
export interface CheckedInput {
  readonly path?: object;
  readonly body?: object;
}

/**
 * Validates input before it is sent, by the schemas of the operation's record: throws the problem that the service would
 * return, with the same pointers and words.
 */
export function checkInput(name: WriteName, { path = {}, body }: CheckedInput): void {
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
