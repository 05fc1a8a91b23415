import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Deletion } from '#shared/contract/management.ts';
import { CliError, exitCodes, notSent } from './cli-error.ts';
import type { Work } from './kit.ts';
import type { Terminal } from './terminal.ts';

export interface DeletionOptions {
  readonly yes?: boolean;
  readonly force?: boolean;
}

/** What goes, and how. */
export interface DeletionPlan {
  /** To be typed for confirmation. */
  readonly id: string;
  /** For people, such as `the user ada`. */
  readonly what: string;
  readonly send: () => Promise<Deletion>;
}

/** Deletes after a confirmation, and asks again until nothing is left: large things go in several requests. */
export async function deleteCompletely(work: Work<DeletionOptions>, plan: DeletionPlan): Promise<void> {
  const { terminal, options } = work;
  if (options.yes !== true) await confirm(terminal, plan);
  let answer = await plan.send();
  let { changed } = answer;
  while (!answer.complete) {
    terminal.note(`Still deleting ${plan.what} …`);
    await pause(250);
    answer = await plan.send();
    changed ||= answer.changed;
  }
  work.show({ ...answer, changed }, changed ? `Deleted ${plan.what}.` : `There was nothing to delete: ${plan.what}.`);
}

async function confirm(terminal: Terminal, { id, what }: DeletionPlan): Promise<void> {
  const { stdin, stderr } = terminal;
  if (!stdin.isTTY || !stderr.isTTY) {
    throw notSent(`Deleting ${what} wants a confirmation, and nobody is there to ask. Add --yes.`);
  }
  const dialog = createInterface({ input: stdin, output: stderr });
  // Without this, Ctrl-C and Ctrl-D would leave the question open for ever.
  const closed = new AbortController();
  dialog.once('close', () => closed.abort());
  try {
    const typed = await dialog.question(`This cannot be undone. Type ${id} to delete ${what}: `, closed);
    if (typed.trim() !== id) throw new CliError('That is something else. Nothing was deleted.');
  } catch (error) {
    if (!closed.signal.aborted) throw error;
    throw new CliError('Nothing was deleted.', { exitCode: exitCodes.interrupted });
  } finally {
    dialog.close();
  }
}
