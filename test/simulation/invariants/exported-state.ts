import type { ExportedChange } from '#shared/integrity/chain-breaks.ts';
import { compareState } from '#shared/integrity/compare-state.ts';
import { foldChanges } from '#shared/integrity/fold-changes.ts';
import type { Run } from '../run-seed.ts';

/** Checks that whoever compares the stored state with its changes, as `history verify --state` does, finds no difference. */
export function checkExportedState({ changes, items, endedAt }: Run): string[] {
  const exported = changes.map(({ change }) => change as unknown as ExportedChange);
  const folded = foldChanges(exported);
  const { differences, older } = compareState(folded, items, new Date(endedAt));
  return [
    ...folded.discontinuities.map(({ change, names }) => `${change.id} does not continue ${names.join(', ')}`),
    ...differences.map(({ kind, subject, detail }) => `${kind}: ${subject} ${detail}`),
    ...older.map((subject) => `${subject} is not compared`),
  ];
}
