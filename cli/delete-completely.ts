import { createInterface } from 'node:readline/promises';
import type { Deletion } from '#shared/contract/answers.ts';
import { CliError, exitCodes, notSent } from './cli-error.ts';
import type { CommandContext } from './command-context.ts';
import type { Terminal } from './terminal.ts';

export interface DeletionOptions {
  readonly yes?: boolean;
  readonly force?: boolean;
}

/** A resource to delete, and the request that deletes it. */
export interface DeletionPlan {
  /** The id, which the user types to confirm. */
  readonly id: string;
  /** The resource in messages, such as `the user ada`. */
  readonly what: string;
  readonly send: () => Promise<Deletion>;
}

/** How often the user is told why a deletion takes so long. */
const noteMilliseconds = 3000;

/** Deletes after a confirmation, and says what it waits for. */
export async function deleteCompletely(context: CommandContext<DeletionOptions>, plan: DeletionPlan): Promise<void> {
  const { terminal, options } = context;
  const { what } = plan;
  if (options.yes !== true) await confirm(terminal, plan);
  const notes = setInterval(() => {
    terminal.note(`Still deleting ${what}: waiting until running requests have ended …`);
  }, noteMilliseconds);
  const answer = await plan.send().finally(() => clearInterval(notes));
  context.show(answer, answer.changed ? `Deleted ${what}.` : `Nothing to delete: ${what}.`);
}

async function confirm(terminal: Terminal, { id, what }: DeletionPlan): Promise<void> {
  const { stdin, stderr } = terminal;
  if (!stdin.isTTY || !stderr.isTTY) {
    throw notSent(`Deleting ${what} needs a confirmation, and this is not a terminal. Add --yes.`);
  }
  const dialog = createInterface({ input: stdin, output: stderr });
  // Without this, the question would stay pending after Ctrl-C or Ctrl-D.
  const closed = new AbortController();
  dialog.once('close', () => closed.abort());
  try {
    const typed = await dialog.question(`This cannot be undone. Type ${id} to delete ${what}: `, closed);
    if (typed.trim() !== id) throw new CliError('The id does not match. Nothing was deleted.');
  } catch (error) {
    if (!closed.signal.aborted) throw error;
    throw new CliError('Nothing was deleted.', { exitCode: exitCodes.interrupted });
  } finally {
    dialog.close();
  }
}
