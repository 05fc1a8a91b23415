/** What the process ends with; `--help` lists them. */
export const exitCodes = {
  /** The service refused, or a part of the work failed. */
  refused: 1,
  /** The command line or the settings are wrong; nothing was sent. */
  notSent: 2,
  /** No answer, or "not now": the same command may succeed later. */
  unavailable: 3,
  notFound: 4,
  interrupted: 130,
} as const;

interface CliErrorOptions extends ErrorOptions {
  /** Default: refused. */
  readonly exitCode?: number;
  /** Lines below the message: single fields, the request id, what to do. */
  readonly notes?: readonly string[];
}

/** A failure that whoever typed the command can understand: one line of what is wrong, then what helps. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;
  readonly notes: readonly string[];

  constructor(message: string, { exitCode = exitCodes.refused, notes = [], ...options }: CliErrorOptions = {}) {
    super(message, options);
    this.exitCode = exitCode;
    this.notes = notes;
  }
}

/** The command line or the settings are wrong; nothing was sent. */
export function notSent(message: string, notes: readonly string[] = []): CliError {
  return new CliError(message, { exitCode: exitCodes.notSent, notes });
}
