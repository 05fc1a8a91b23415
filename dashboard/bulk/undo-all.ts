import type { UndoOutcome } from '#shared/contract/bulk-undo.ts';
import type { Writer } from '../api/create-writer.ts';

interface UndoAll {
  readonly bulkId: string;
  /** Empty for a bulk change of the global status. */
  readonly appId: string;
  readonly dryRun: boolean;
}

/** The index that lists the changes of a bulk catches up within a second. */
const pauseMilliseconds = 1500;

/** Undoes all changes of a bulk, page by page, then those that the index did not list yet. */
export async function undoAll(write: Writer, command: UndoAll): Promise<readonly UndoOutcome[]> {
  const first = await undoPages(write, command);
  if (command.dryRun) return first;
  await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
  const known = new Set(first.map(({ changeId }) => changeId));
  const missed = await undoPages(write, command);
  return [...first, ...missed.filter(({ changeId }) => !known.has(changeId))];
}

async function undoPages(write: Writer, { bulkId, appId, dryRun }: UndoAll): Promise<UndoOutcome[]> {
  const outcomes: UndoOutcome[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = { limit: '100', cursor };
    const { items, cursor: next } =
      appId === ''
        ? await write('undo-status-bulk', { path: { bulkId }, query, body: { dryRun } })
        : await write('undo-bulk', { path: { appId, bulkId }, query, body: { dryRun } });
    outcomes.push(...items);
    if (next === null) return outcomes;
    cursor = next;
  }
}
