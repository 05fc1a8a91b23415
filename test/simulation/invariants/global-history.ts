import type { Run } from '../run-seed.ts';
import { isChange, isHistoryEntry } from '../stored-state.ts';

/** Checks that the global history has exactly the changes that are kept. */
export function checkGlobalHistory({ items, swarm }: Run): string[] {
  // Nothing is published while orders are explored.
  if (swarm === undefined) return [];
  const kept = new Set(items.filter(isChange).map(({ id, pk, sk }) => `${id} of ${pk} ${sk}`));
  const listed = new Set(
    items.filter(isHistoryEntry).map(({ sk, changePk, changeSk }) => `${sk} of ${changePk} ${changeSk}`),
  );
  return [
    ...[...kept].filter((change) => !listed.has(change)).map((change) => `${change} is not listed`),
    ...[...listed].filter((change) => !kept.has(change)).map((change) => `${change} is listed and gone`),
  ];
}
