import type { OperationRequest } from '#shared/contract/operation.ts';
import type { ManageOperations, ServiceOperations, ServiceWriteName } from '#shared/contract/operations.ts';

/** A request and the status of its response, after its setup. */
export interface Attempt<Call> {
  readonly call: Call;
  readonly status: number;
  /** The roles of the calling operator, as the groups of a token. Default: an admin who signs with IAM. */
  readonly groups?: readonly string[];
  /** The whole body of the response. */
  readonly answer?: unknown;
  /** What the Change says beside who asked, when and from where. Default: there is none. */
  readonly change?: (answer: AnswerBody) => AnswerBody;
  /** The outcome of the same request as a new call; by default, it is not tried. */
  readonly again?: 'unchanged' | 409;
}

// biome-ignore lint/suspicious/noExplicitAny: the body of any response
type AnswerBody = Readonly<Record<string, any>>;

/** Why an operation never has this outcome. */
export interface Never {
  readonly never: string;
}

export type Outcome<Call> = () => Promise<Attempt<Call>>;

/** The outcomes of a read, each with all its table accesses: an operation without outcomes does not compile. */
type ReadOutcomes<Call> = Readonly<Record<'done' | 'refused', Outcome<Call> | Never>>;
/** The outcomes of a write; each is also repeated. */
type WriteOutcomes<Call> = Readonly<Record<'done' | 'unchanged' | 'refused', Outcome<Call> | Never>>;
/** Further cases, by name. */
export type Others<Call> = Readonly<Record<string, Outcome<Call> | Never>>;

type ManageCall<Name extends keyof ManageOperations> = OperationRequest<ManageOperations[Name]>;
type ServiceCall<Name extends keyof ServiceOperations> = OperationRequest<ServiceOperations[Name]>;

/** The outcomes of every operation of the Management API. */
export type ManageOutcomes = {
  readonly [Name in keyof ManageOperations]: Others<ManageCall<Name>> &
    (ManageOperations[Name]['method'] extends 'GET' ? ReadOutcomes<ManageCall<Name>> : WriteOutcomes<ManageCall<Name>>);
};

/** The outcomes of the operations of the Service API; a read without any uses its example. */
export type ServiceOutcomes = {
  readonly [Name in ServiceWriteName]: WriteOutcomes<ServiceCall<Name>> & Others<ServiceCall<Name>>;
} & {
  readonly [Name in Exclude<keyof ServiceOperations, ServiceWriteName>]?: ReadOutcomes<ServiceCall<Name>> &
    Others<ServiceCall<Name>>;
};

/** A call of any operation. */
export interface AnyCall {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/** The possible outcomes as rows of a test: operation, outcome and setup. */
export function rowsOf(operations: Readonly<Record<string, Others<AnyCall>>>) {
  return Object.entries(operations).flatMap(([operation, outcomes]) =>
    Object.entries(outcomes).flatMap(([outcome, prepare]) =>
      typeof prepare === 'function' ? [{ operation, outcome, prepare }] : [],
    ),
  );
}
