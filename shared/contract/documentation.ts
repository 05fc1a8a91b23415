import type { AnswerOf, AnswerSchemaOf, Operation, OperationRequest } from './operation.ts';

/** What only documents need of an operation. */
export interface OperationDocumentation<Described extends Operation = Operation> {
  /** The schema of the answer, of the type that the record names. */
  readonly answer: AnswerSchemaOf<Described>;
  readonly tag: string;
  readonly summary: string;
  /** Default: the summary as a sentence. */
  readonly description?: string;
  /** A request, and the whole answer to it. */
  readonly example: OperationExample<Described>;
}

export type OperationExample<Described extends Operation = Operation> = Omit<OperationRequest<Described>, 'path'> & {
  readonly answer: AnswerOf<Described>;
};

const operations = new Map<Operation, () => OperationDocumentation>();

/**
 * Documents an operation, beside its record. Mark each call as pure: a bundler then drops it, and with it the text and the
 * example, which only the documents need.
 */
export function documentOperation<
  Described extends Operation,
  const Documentation extends OperationDocumentation<Described>,
>(operation: Described, documentation: () => Documentation): void {
  operations.set(operation, documentation);
}

const known = new Map<Operation, OperationDocumentation>();

/** The documentation of an operation, always the same object; every operation has one. */
export function documentationOf(operation: Operation): OperationDocumentation {
  const documentation = known.get(operation) ?? operations.get(operation)?.();
  if (documentation === undefined) throw new Error(`${operation.name} is not documented`);
  known.set(operation, documentation);
  return documentation;
}
