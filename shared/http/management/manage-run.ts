import type { AppId } from '#shared/contract/fields.ts';
import type { AnswerOf, ManageOperation, Operation, ParsedInput, SuccessStatus } from '#shared/contract/operation.ts';
import type { HeldRole } from '#shared/contract/operator-role.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';

/** The context of a request and its operator's permissions. */
export interface ManageContext extends OperatorContext {
  readonly heldRoles: readonly HeldRole[];
  /** The only applications that the answer may cover; undefined for all. */
  readonly limitedTo: readonly AppId[] | undefined;
}

/** Runs an operation with its parsed input, which it reads in full: what it passes on whole goes to `exactly` that function. */
export type ManageRun<Described extends Operation> = (
  input: ParsedInput<Described>,
  context: ManageContext,
) => Promise<ManageResult<AnswerOf<Described>>>;

/** The answer, with its status where the record lists several. Default: the first of the record. */
export type ManageResult<Answer> = Answer | { readonly status: SuccessStatus; readonly answer: Answer };

/** 200, or 202 when time ran out: repeat the request to continue. */
export function continuable<Answer extends { readonly complete: boolean }>(answer: Answer): ManageResult<Answer> {
  return { status: answer.complete ? 200 : 202, answer };
}

/** The implementation of each of these operations. */
export type ManageRuns<Operations extends Readonly<Record<string, ManageOperation>>> = {
  readonly [Name in keyof Operations]: ManageRun<Operations[Name]>;
};
