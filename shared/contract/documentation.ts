import { exampleWebhook } from './examples.ts';
import type { AnswerOf, AnswerSchemaOf, Operation, OperationRequest } from './operation.ts';
import type { TableUse } from './table-use.ts';

/** What the function of an operation does not need itself: its documents, and what the stack derives from it. */
export interface OperationDocumentation<Described extends Operation = Operation> {
  /** The schema of the answer, of the type that the record names. */
  readonly answer: AnswerSchemaOf<Described>;
  readonly tag: string;
  readonly summary: string;
  /** Default: the summary as a sentence. */
  readonly description?: string;
  /** A request, and the whole answer to it. */
  readonly example: OperationExample<Described>;
  /** Of an endpoint of the Service API. Default: it reads items by their keys. */
  readonly table?: TableUse;
  /** The settings passed to its function, in addition to those that every function gets. */
  readonly settings?: readonly ('changeRetentionDays' | 'keyStateCacheSeconds' | 'requireReason' | 'webhooks')[];
  /** The setting without which a deployment does not have the endpoint. Default: every deployment has it. */
  readonly onlyWith?: 'webhooks';
  /** The p99 latency at which its alarm fires. Default: 1000. */
  readonly latencyLimitMilliseconds?: number;
  /**
   * Of the Management API: whether a page of the dashboard waits for it, so that the alarm on slow pages covers it. At most
   * ten: an alarm takes no more metrics. Not a deletion, which may take many seconds. Default: none does.
   */
  readonly opensPage?: true;
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

/** The request of an operation's example, about this user where its path names one, or else about the webhook of the examples. */
export function exampleRequest<Described extends Operation>(
  operation: Described,
  userId: string,
): OperationRequest<Described> {
  const { answer: _, ...request } = documentationOf(operation).example;
  const ids = { userId, webhookId: exampleWebhook.webhookId };
  const path = Object.entries(ids).filter(([name]) => operation.path.includes(`{${name}}`));
  // Which parts a request has follows from the record, which a type parameter does not tell.
  const call: object = { ...request, ...(path.length > 0 && { path: Object.fromEntries(path) }) };
  return call as OperationRequest<Described>;
}

const known = new Map<Operation, OperationDocumentation>();

/** The documentation of an operation, always the same object; every operation has one. */
export function documentationOf(operation: Operation): OperationDocumentation {
  const documentation = known.get(operation) ?? operations.get(operation)?.();
  if (documentation === undefined) throw new Error(`${operation.name} is not documented`);
  known.set(operation, documentation);
  return documentation;
}
