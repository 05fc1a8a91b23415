import type { ErrorCode } from '#shared/contract/error-codes.ts';
import type { FieldError, Problem } from '#shared/contract/problems.ts';

/** The Management API's problem document, or `unreachable` when there was no answer. */
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
  return new ProblemError({ code: 'unreachable', title: 'The service cannot be reached', detail: error.message });
}

/** Whether a failure leaves the outcome open: sent again, the request may succeed, or turn out to have taken effect. */
export function isUnanswered(error: Error | null): boolean {
  if (error === null) return false;
  const { code, status } = toProblem(error);
  return code === 'unreachable' || status === 429 || status >= 500;
}

/** Whether the service answered with this error code. */
export function hasCode(error: Error | null, code: ErrorCode): boolean {
  return error instanceof ProblemError && error.code === code;
}

/** The message for one field, such as `#/email`. */
export function fieldError(error: Error | null, pointer: string): string | undefined {
  return error instanceof ProblemError ? error.errors.find((one) => one.pointer === pointer)?.detail : undefined;
}

/** Reads the problem document of an answer; gateways in front may answer errors in another format. */
export async function readProblem(response: Response): Promise<ProblemError> {
  const body: unknown = await response.json().catch(() => undefined);
  if (isProblem(body)) return new ProblemError({ ...body, status: response.status });
  return new ProblemError({
    status: response.status,
    code: response.status === 503 ? 'unavailable' : 'internal',
    title: 'The service failed',
    detail: `It returned status ${response.status} without details. Try again in a moment.`,
  });
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && 'title' in body;
}
