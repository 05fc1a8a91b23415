import { createInterface } from 'node:readline/promises';
import { CliError, exitCodes, notSent } from './cli-error.ts';
import type { Terminal } from './terminal.ts';

/** What the user is asked to confirm. */
export interface Confirmation {
  /** The id to type. */
  readonly id: string;
  /** What needs the confirmation, at the beginning of a sentence: `Deleting the user ada`. */
  readonly action: string;
  readonly question: string;
  /** What holds when the user does not confirm: `Nothing was deleted.` */
  readonly otherwise: string;
}

/** Goes on when the user has typed the id; throws otherwise, and where there is no terminal to ask at. */
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

/** Refuses an action that needs a confirmation where there is no terminal to ask at. */
export function requireTerminal({ stdin, stderr }: Terminal, action: string): void {
  if (stdin.isTTY && stderr.isTTY) return;
  throw notSent(`${action} needs a confirmation, and this is not a terminal. Add --yes.`);
}
