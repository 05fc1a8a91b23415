import type { Writer } from '#dashboard/api/create-writer.ts';
import { sendUntilKnown } from '#dashboard/api/in-batches.ts';
import type { reasonBody } from '#dashboard/forms/reason-fields.tsx';
import type { Page } from '#shared/contract/answers.ts';
import type { UndoOutcome } from '../contract/bulk-undo.ts';
import type { RunTools } from './use-bulk-run.ts';

/** The bulk change to undo. */
export interface UndoCommand {
  readonly bulkId: string;
  /** Empty for the global status. */
  readonly appIds: readonly string[];
  readonly why: ReturnType<typeof reasonBody>;
}

/** A page of the changes of a bulk, as one request undoes it. */
export interface UndoPage {
  readonly appId: string;
  readonly cursor: string | undefined;
  /** What undoing it would do now. */
  readonly outcomes: readonly UndoOutcome[];
}

export interface UndoWork extends UndoCommand {
  readonly pages: readonly UndoPage[];
}

/** What an outcome of an undo is about. */
export function changeIdOf({ changeId }: UndoOutcome): string {
  return changeId;
}

/** Asks what undoing would do now, page by page. */
export async function previewUndo(newWriter: () => Writer, command: UndoCommand): Promise<readonly UndoPage[]> {
  const write = newWriter();
  const pages: UndoPage[] = [];
  for (const appId of command.appIds) {
    let cursor: string | undefined;
    do {
      const page = await requestPage(write, command, { appId, cursor, dryRun: true });
      pages.push({ appId, cursor, outcomes: page.items });
      cursor = page.cursor ?? undefined;
    } while (cursor !== undefined);
  }
  return pages;
}

/** The index that lists the changes of a bulk change catches up within a second. */
const pauseMilliseconds = 1500;

/**
 * Undoes the changes of these pages in their order, the latest first, because an earlier change of an access can only be undone after
 * a later one. Then it undoes those that the index did not list at first.
 */
export async function undoPages(work: UndoWork, tools: RunTools<UndoOutcome>): Promise<void> {
  const answered = new Set(tools.answered);
  const onResults = (outcomes: readonly UndoOutcome[]) => {
    for (const outcome of outcomes) answered.add(changeIdOf(outcome));
    tools.onResults(outcomes);
  };
  const undo = async (pages: readonly UndoPage[]) => {
    for (const page of pages) {
      const isLeft = page.outcomes.some((one) => isUndoable(one) && !answered.has(changeIdOf(one)));
      if (isLeft && !tools.signal.aborted) onResults(await undoPage(work, page, tools.newWriter));
    }
  };
  await undo(work.pages);
  if (tools.signal.aborted) return;
  await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
  await undo(await previewUndo(tools.newWriter, work));
}

/** The number of changes on the pages with something that can be undone. */
export function countChanges(pages: readonly UndoPage[]): number {
  return pages.flatMap(({ outcomes }) => (outcomes.some(isUndoable) ? outcomes : [])).length;
}

/** Whether a preview says that a change can be undone. */
export function isUndoable({ outcome }: UndoOutcome): boolean {
  return outcome === 'changed';
}

/** A repeated page is undone again as a whole: the service says `unchanged` of what is undone already. */
function undoPage(command: UndoCommand, page: UndoPage, newWriter: () => Writer): Promise<readonly UndoOutcome[]> {
  const write = newWriter();
  const request = async (dryRun: boolean) => (await requestPage(write, command, { ...page, dryRun })).items;
  const listed = new Map(page.outcomes.map((one) => [changeIdOf(one), one]));
  return sendUntilKnown([...listed.keys()], {
    send: () => request(false),
    check: () => request(true),
    keyOf: changeIdOf,
    failed: (changeId, problem) => ({
      userId: listed.get(changeId)?.userId ?? '',
      changeId,
      outcome: 'failed',
      problem,
    }),
  });
}

interface PageRequest extends Pick<UndoPage, 'appId' | 'cursor'> {
  readonly dryRun: boolean;
}

function requestPage(
  write: Writer,
  { bulkId, why }: UndoCommand,
  { appId, cursor, dryRun }: PageRequest,
): Promise<Page<UndoOutcome>> {
  const page = { query: { limit: '100', cursor }, body: { dryRun, ...why } };
  return appId === ''
    ? write('undo-status-bulk', { path: { bulkId }, ...page })
    : write('undo-bulk', { path: { appId, bulkId }, ...page });
}
