import type { RecordedState } from '#shared/contract/change.ts';

/** What a Change records of two states: the members of `after` that differ; undefined if none does. */
export function recordedDifference(before: RecordedState, after: RecordedState) {
  const names = Object.keys(after).filter((name) => before[name] !== after[name]);
  if (names.length === 0) return undefined;
  const only = (state: RecordedState) => Object.fromEntries(names.map((name) => [name, state[name] ?? null]));
  return { before: only(before), after: only(after) };
}
