import type { Problem } from '#shared/contract/problems.ts';

/** The exit codes of the process; `--help` lists them. */
export const exitCodes = {
  /** The service refused the request, or part of the work failed. */
  refused: 1,
  /** The command line or the settings are wrong; nothing was sent. */
  notSent: 2,
  /** No answer, or a temporary failure: the same command may succeed later. */
  unavailable: 3,
  notFound: 4,
  interrupted: 130,
} as const;

/** The members of the service's problem document. */
export type ServiceProblem = Partial<Pick<Problem, 'code' | 'title' | 'detail' | 'status' | 'requestId' | 'errors'>>;

interface CliErrorOptions extends ErrorOptions {
  /** Default: none, if the service has not described the failure. */
  readonly problem?: ServiceProblem | undefined;
  /** Default: refused. */
  readonly exitCode?: number;
  /** Lines below the message: invalid fields, hints, the request id. */
  readonly notes?: readonly string[];
}

/** A failure to show to the user: one line that says what is wrong, and notes on how to fix it. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;
  readonly notes: readonly string[];
  readonly problem: ServiceProblem | undefined;

  constructor(
    message: string,
    { exitCode = exitCodes.refused, notes = [], problem, ...options }: CliErrorOptions = {},
  ) {
    super(message, options);
    this.exitCode = exitCode;
    this.notes = notes;
    this.problem = problem;
  }
}

/** The command line or the settings are wrong; nothing was sent. */
export function notSent(message: string, notes: readonly string[] = []): CliError {
  return new CliError(message, { exitCode: exitCodes.notSent, notes });
}

/** A file that cannot be written, found before anything is sent or stored. */
export function notWritten(file: string, cause: unknown): CliError {
  return notSent(`Cannot write ${file}: ${(cause as Error).message}`);
}

/** The same failure with one more line below its message; any other error is returned unchanged. */
export function withNote(error: unknown, note: string): unknown {
  if (!(error instanceof CliError)) return error;
  const { message, exitCode, cause, problem, notes } = error;
  return new CliError(message, { exitCode, cause, problem, notes: [...notes, note] });
}

/**
 * The problem of one item of many, if its code concerns that item alone; any other error would also meet the remaining items,
 * and is thrown.
 */
export function problemOfOne(
  error: unknown,
  codes: readonly string[],
): { readonly code: string; readonly detail: string } {
  const { code, detail = '' } = (error instanceof CliError && error.problem) || {};
  if (code === undefined || !codes.includes(code)) throw error;
  return { code, detail };
}

const codes: Readonly<Record<number, string>> = {
  [exitCodes.notSent]: 'not_sent',
  [exitCodes.unavailable]: 'no_answer',
  [exitCodes.interrupted]: 'interrupted',
};

/** The error for scripts: the members of the problem document, or those that are known without one. */
export function errorAsJson({ message, notes, exitCode, problem }: CliError): object {
  const { code = codes[exitCode] ?? 'failed', title = message, detail = message, ...more } = problem ?? {};
  return { code, title, detail, ...more, notes, exitCode };
}
