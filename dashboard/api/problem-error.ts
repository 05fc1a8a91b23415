import { ManagementError } from '#client/management/management-error.ts';
import type { ErrorCode } from '#shared/contract/error-codes.ts';
import { wordsOfField } from '#shared/contract/field-words.ts';
import type { FieldError, Problem } from '#shared/contract/problems.ts';

/** The Management API's problem document, or `unreachable` if there was no response. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly code: ErrorCode | 'unreachable' | 'session_ended';
  readonly title: string;
  readonly requestId: string | undefined;
  readonly errors: readonly FieldError[];

  constructor(problem: Pick<Problem, 'title' | 'detail'> & Pick<ProblemError, 'code'> & Partial<Extent>) {
    super(problem.detail);
    this.status = problem.status ?? 0;
    this.code = problem.code;
    this.title = problem.title;
    this.requestId = problem.requestId;
    this.errors = problem.errors ?? [];
  }
}

type Extent = Pick<Problem, 'status' | 'requestId' | 'errors'>;

/** Converts any error to a problem for display. */
export function toProblem(error: Error): ProblemError {
  if (error instanceof ProblemError) return error;
  return new ProblemError({
    code: 'unreachable',
    title: "Can't reach the service",
    detail: 'Check your connection and try again; nothing was lost.',
  });
}

/** Whether a failure leaves the outcome unknown: the request can be retried, and may already have taken effect. */
export function isUnanswered(error: Error | null): boolean {
  if (error === null) return false;
  const { code, status } = toProblem(error);
  return code === 'unreachable' || status === 429 || status >= 500;
}

/** Whether the service responded with this error code. */
export function hasCode(error: Error | null, code: ErrorCode): boolean {
  return error instanceof ProblemError && error.code === code;
}

/** The message for one field, such as `#/email`, as a sentence for people. */
export function fieldError(error: Error | null, pointer: string): string | undefined {
  const found = error instanceof ProblemError ? error.errors.find((one) => one.pointer === pointer) : undefined;
  return found && capitalize(wordsOfField(found));
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The same problem without the errors that fields show; null if no others are left. */
export function withoutFields(error: Error | null, pointers: readonly string[]): Error | null {
  if (!(error instanceof ProblemError) || error.errors.length === 0) return error;
  const { status, code, title, message, requestId } = error;
  const errors = error.errors.filter(({ pointer }) => !pointers.includes(pointer));
  if (errors.length === 0) return null;
  return new ProblemError({ status, code, title, detail: message, errors, ...(requestId && { requestId }) });
}

/** The failure of a call as a problem for display; what left no response stays as it is. */
export function problemOf(error: unknown): unknown {
  if (!(error instanceof ManagementError)) return error;
  const { status, problem, cause } = error;
  if (status === undefined) return cause ?? error;
  if (status === 401) {
    return new ProblemError({ code: 'session_ended', title: 'Your session has ended', detail: 'Log in again.' });
  }
  if (isProblem(problem)) return new ProblemError({ ...problem, status });
  // A gateway in front can respond in another format.
  return new ProblemError({
    status,
    code: status === 503 ? 'unavailable' : 'internal',
    title: 'The service failed',
    detail: `It returned status ${status} without details. Try again in a moment.`,
  });
}

function isProblem(body: object | undefined): body is Problem {
  return body !== undefined && 'code' in body && 'detail' in body && 'title' in body;
}
