import { createInterface } from 'node:readline/promises';
import { CliError, exitCodes, notSent } from './cli-error.ts';
import type { Terminal } from './terminal.ts';

/** An action that the user must confirm. */
export interface Confirmation {
  /** The id to type. */
  readonly id: string;
  /** The action at the beginning of a sentence: `Deleting the user ada`. */
  readonly action: string;
  readonly question: string;
  /** The result if the user does not confirm: `Nothing was deleted.` */
  readonly otherwise: string;
}

/** Returns if the user types the id; throws otherwise, or if there is no terminal. */
export async function confirm(terminal: Terminal, confirmation: Confirmation): Promise<void> {
  const { id, action, question, otherwise } = confirmation;
  requireTerminal(terminal, action);
  const { stdin, stderr } = terminal;
  const dialog = createInterface({ input: stdin, output: stderr });
  // Without this, the question would stay pending after Ctrl-C or Ctrl-D.
  const closed = new AbortController();
  dialog.once('close', () => closed.abort());
  try {
    const typed = await dialog.question(question, closed);
    if (typed.trim() !== id) throw new CliError(`The id does not match. ${otherwise}`);
  } catch (error) {
    if (!closed.signal.aborted) throw error;
    throw new CliError(otherwise, { exitCode: exitCodes.interrupted });
  } finally {
    dialog.close();
  }
}

/** Throws if an action needs a confirmation and there is no terminal. */
export function requireTerminal({ stdin, stderr }: Terminal, action: string): void {
  if (stdin.isTTY && stderr.isTTY) return;
  throw notSent(`${action} requires a confirmation, but this is not a terminal. Add --yes.`);
}
