import type { BulkRecord } from '#dashboard/history/bulk-record.ts';
import type { Names } from '#dashboard/history/use-names.ts';
import type { UndoOutcome } from '../contract/bulk-undo.ts';
import type { OutcomeRow } from './outcome-table.tsx';
import { changeIdOf, isUndoable, type UndoPage } from './undo-pages.ts';

/** The outcomes of an undo that has begun: those that are known, and of the others those of the preview that need no request. */
function knownOutcomes(pages: readonly UndoPage[], outcomes: readonly UndoOutcome[]): ReadonlyMap<string, UndoOutcome> {
  const previewed = pages.flatMap((page) => page.outcomes).filter((one) => !isUndoable(one));
  return new Map([...previewed, ...outcomes].map((one) => [changeIdOf(one), one]));
}

/** The rows of an undo that has begun. A change is left to undo while its outcome, or the service's answer, is missing. */
export function undoRows(
  pages: readonly UndoPage[],
  outcomes: readonly UndoOutcome[],
  names: Names,
): readonly OutcomeRow[] {
  const known = knownOutcomes(pages, outcomes);
  const listed = new Map(pages.flatMap((page) => page.outcomes).map((one) => [changeIdOf(one), one]));
  return [...new Map([...listed, ...known]).values()].map((one) => {
    const row = undoRow(known.get(changeIdOf(one)) ?? one, names);
    const isLeft = !known.has(changeIdOf(one)) || row.code === 'unavailable';
    return isLeft ? { ...row, kind: 'waiting' } : row;
  });
}

/** The rows of a preview. */
export function previewRows(pages: readonly UndoPage[], names: Names): readonly OutcomeRow[] {
  return pages.flatMap((page) => page.outcomes.map((one) => undoRow(one, names)));
}

function undoRow({ changeId, userId, outcome, problem }: UndoOutcome, names: Names): OutcomeRow {
  const detail = problem?.code === 'version_mismatch' ? 'Modified since.' : problem?.detail;
  const displayName = names.userName(userId);
  return { key: changeId, name: userId, userId, displayName, kind: outcome, code: problem?.code, detail };
}

/** How many users have a row of a kind. */
export function countUsersOf(rows: readonly OutcomeRow[], kind: OutcomeRow['kind']): number {
  return new Set(rows.filter((row) => row.kind === kind).map(({ userId }) => userId)).size;
}

/** The record with what was undone since it was read: the index that lists it is some seconds behind. */
export function withUndone(record: BulkRecord, outcomes: readonly UndoOutcome[]): BulkRecord {
  const undone = outcomes.filter(({ outcome }) => outcome === 'changed').map(changeIdOf);
  return { ...record, undone: new Set([...record.undone, ...undone]) };
}
