import { type BulkRecord, kindsOf } from '#dashboard/history/bulk-record.ts';
import type { Names } from '#dashboard/history/use-names.ts';
import type { Change, ChangeView } from '#shared/contract/change.ts';
import type { UndoOutcome } from '../contract/bulk-undo.ts';
import type { OutcomeRow } from './outcome-table.tsx';
import { changeIdOf, isUndoable, type UndoPage } from './undo-pages.ts';

/** The outcomes of an undo that has begun: those that are known, and of the others those of the preview that need no request. */
function knownOutcomes(pages: readonly UndoPage[], outcomes: readonly UndoOutcome[]): ReadonlyMap<string, UndoOutcome> {
  const previewed = pages.flatMap((page) => page.outcomes).filter((one) => !isUndoable(one));
  return new Map([...previewed, ...outcomes].map((one) => [changeIdOf(one), one]));
}

/** What the rows of an undo need to name users and changes. */
export interface RowWords {
  readonly names: Names;
  /** The changes of the bulk, as far as they are known. */
  readonly changes: readonly ChangeView[];
}

/** The rows of an undo that has begun. A change is left to undo while its outcome, or the service's answer, is missing. */
export function undoRows(
  pages: readonly UndoPage[],
  outcomes: readonly UndoOutcome[],
  words: RowWords,
): readonly OutcomeRow[] {
  const undoRow = rowIn(words);
  const known = knownOutcomes(pages, outcomes);
  const listed = new Map(pages.flatMap((page) => page.outcomes).map((one) => [changeIdOf(one), one]));
  return [...new Map([...listed, ...known]).values()].map((one) => {
    const row = undoRow(known.get(changeIdOf(one)) ?? one);
    const isLeft = !known.has(changeIdOf(one)) || row.code === 'unavailable';
    return isLeft ? { ...row, kind: 'waiting' } : row;
  });
}

/** The rows of a preview. */
export function previewRows(pages: readonly UndoPage[], words: RowWords): readonly OutcomeRow[] {
  const undoRow = rowIn(words);
  return pages.flatMap((page) => page.outcomes.map((one) => undoRow(one)));
}

function rowIn({ names, changes }: RowWords): (outcome: UndoOutcome) => OutcomeRow {
  const kindIn = describeKind(changes, names);
  const byId = new Map(changes.map((change) => [change.id, change]));
  return ({ changeId, userId, outcome, problem }) => {
    const change = byId.get(changeId);
    const reason = problem?.code === 'version_mismatch' ? 'Modified since.' : problem?.detail;
    const detail = [change && kindIn(change), reason].filter(Boolean).join('; ') || undefined;
    const displayName = names.userName(userId);
    return { key: changeId, name: userId, userId, displayName, kind: outcome, code: problem?.code, detail };
  };
}

/** Which of several kinds of changes each is, such as `Role removed editor: Billing`; undefined if there is only one. */
export function describeKind(changes: readonly Change[], { appName }: Names): (change: Change) => string | undefined {
  if (kindsOf(changes).length <= 1) return () => undefined;
  return (change) => [...kindsOf([change]), ...(change.appId === undefined ? [] : [appName(change.appId)])].join(': ');
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
