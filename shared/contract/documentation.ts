import type { AnswerOf, AnswerSchemaOf, Operation, OperationRequest } from './operation.ts';
import type { RootPurpose } from './root-purposes.ts';
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
  /** For an endpoint of the Service API. Default: it reads items by their keys. */
  readonly table?: TableUse;
  /** Roots that it derives from, beside those of API keys, by which it verifies its caller, and for a write those of histories. */
  readonly roots?: readonly RootPurpose[];
  /** The settings passed to its function, in addition to those that every function gets. */
  readonly settings?: readonly ('changeRetentionDays' | 'keyStateCacheSeconds' | 'requireReason' | 'webhooks')[];
  /** The setting without which a deployment does not have the endpoint. Default: every deployment has it. */
  readonly onlyWith?: 'webhooks';
  /** The p99 latency at which its alarm fires. Default: 1000. */
  readonly latencyLimitMilliseconds?: number;
  /**
   * For the Management API: whether a page of the dashboard waits for it, so that the alarm on slow pages covers it. At most
   * ten: an alarm takes no more metrics. Not a deletion, which may take many seconds. Default: none does.
   */
  readonly opensPage?: true;
}

export type OperationExample<Described extends Operation = Operation> = Omit<OperationRequest<Described>, 'path'> & {
  readonly answer: AnswerOf<Described>;
};

/** The documentation of each of these operations. */
export type DocumentsOf<Operations extends Readonly<Record<string, Operation>>> = {
  readonly [Name in keyof Operations]: OperationDocumentation<Operations[Name]>;
};
