import type { ErrorCode } from '#shared/contract/error-codes.ts';
import type { FieldError, Problem } from '#shared/contract/problem.ts';

/** What the Management API refused, or `unreachable` when nothing of it answered. */
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

  /** What is wrong with one field, such as `#/email`, for the message below it. */
  fieldError(pointer: string): string | undefined {
    return this.errors.find((error) => error.pointer === pointer)?.detail;
  }
}

type Extent = Pick<Problem, 'status' | 'requestId' | 'errors'>;

/** Whatever was thrown, as a problem to show. */
export function toProblem(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  return new ProblemError({
    code: 'unreachable',
    title: 'The service cannot be reached',
    detail: thrown instanceof Error ? thrown.message : 'Check the connection and try again.',
  });
}

/** The problem document of an answer; gateways in front answer errors of their own. */
export async function readProblem(response: Response): Promise<ProblemError> {
  const body: unknown = await response.json().catch(() => undefined);
  if (isProblem(body)) return new ProblemError(body);
  return new ProblemError({
    status: response.status,
    code: response.status === 503 ? 'unavailable' : 'internal',
    title: 'The service cannot answer',
    detail: `It answered ${response.status} without saying why. Try again in a moment.`,
  });
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && 'title' in body;
}
