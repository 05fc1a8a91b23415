import type { Run } from '../run-seed.ts';
import { isChange, isHistoryEntry } from '../stored-state.ts';

/** Each change that is kept is in the history over all, and nothing of one that is gone. */
export function checkHistoryOverAll({ items, swarm }: Run): string[] {
  // Where every order of some requests is followed, nothing is published.
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
