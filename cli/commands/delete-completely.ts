import type { Deletion } from '#shared/contract/answers.ts';
import type { CommandContext } from '../service/command-context.ts';
import { confirm } from '../terminal/confirm.ts';

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

/** How often a line on stderr says what a long deletion waits for. */
const noteMilliseconds = 3000;

/** Deletes after a confirmation, and prints what it waits for. */
export async function deleteCompletely(context: CommandContext<DeletionOptions>, plan: DeletionPlan): Promise<void> {
  const { terminal, options } = context;
  const { id, what } = plan;
  context.announce();
  if (options.yes !== true) {
    const question = `This cannot be undone. Type ${id} to delete ${what}: `;
    await confirm(terminal, { id, action: `Deleting ${what}`, question, otherwise: 'Nothing was deleted.' });
  }
  const notes = setInterval(() => {
    terminal.note(`Still deleting ${what}: waiting for running requests to finish …`);
  }, noteMilliseconds);
  const answer = await plan.send().finally(() => clearInterval(notes));
  context.show(answer, answer.changed ? `Deleted ${what}.` : `Nothing to delete: ${what}.`);
}
