import * as v from 'valibot';
import { fieldErrors, inputSchemas } from '#shared/contract/fields.ts';
import { manageOperations } from '#shared/contract/operations.ts';
import type { FieldError } from '#shared/contract/problems.ts';
import type { WriteName } from './create-api.ts';
import { ProblemError } from './problem-error.ts';

/** The parts of a request that the operator's input fills. */
export interface CheckedInput {
  readonly path?: object;
  readonly body?: object;
}

/**
 * Throws, before anything is sent, what the service would answer to input that the operation's record refuses: the same
 * schemas, the same pointers, the same words.
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
    title: 'This cannot be saved yet',
    detail: 'Nothing was sent. Correct what is wrong, and try again.',
    errors: [...errors],
  });
}
