import { CommanderError } from 'commander';
import { CliError, exitCodes } from './cli-error.ts';
import { printable } from './display-width.ts';
import type { Terminal } from './terminal.ts';

/** Says on stderr what went wrong, and answers what the process ends with. */
export function reportError(error: unknown, terminal: Terminal, debug: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.notSent;
  const { message, notes, exitCode } = error instanceof CliError ? error : unforeseen(error);
  terminal.note(`error: ${printable(message)}`, ...notes.map((line) => `  ${printable(line)}`));
  if (debug && error instanceof Error) terminal.note(String(error.stack), ...causes(error));
  return exitCode;
}

function unforeseen(error: unknown): CliError {
  return new CliError(error instanceof Error ? error.message : String(error), { notes: ['--debug shows where.'] });
}

function causes({ cause }: Error): string[] {
  return cause instanceof Error ? [`caused by ${cause.stack}`, ...causes(cause)] : [];
}
