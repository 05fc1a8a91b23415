import { countOf } from '#shared/contract/wording.ts';
import { compareState, type StateDifference, type StoredItem } from '#shared/integrity/compare-state.ts';
import type { FoldedChanges } from '#shared/integrity/fold-changes.ts';

/** What comparing the table with its history found. */
export interface StateReport {
  readonly isSound: boolean;
  /** For `--json`. */
  readonly view: object;
  /** For people; every difference has a line. */
  readonly lines: readonly string[];
}

/** Compares the items of an export of the table with the state that its verified changes produce. */
export function reportState(folded: FoldedChanges, items: readonly StoredItem[]): StateReport {
  const { differences, compared, older } = compareState(folded, items, new Date());
  return {
    isSound: differences.length === 0,
    view: { state: { compared, differences, older } },
    lines: [
      ...differences.map(sentence),
      `Compared ${countOf(compared, 'user, access, role or application', 'users, accesses, roles and applications')} with their changes.`,
      ...(older.length === 0
        ? []
        : [`Not compared, because their last change is older than this export: ${older.join(', ')}.`]),
    ],
  };
}

function sentence({ subject, detail, changeId }: StateDifference): string {
  return `DIFFERS: ${subject}: ${detail}${changeId === undefined ? '' : ` (last change: ${changeId})`}.`;
}
