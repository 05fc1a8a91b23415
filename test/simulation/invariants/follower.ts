import type { Item } from '../../../local/memory/memory-table.ts';
import type { Follower } from '../feeds.ts';
import type { Run } from '../run-seed.ts';
import type { Commit } from '../simulated-dynamodb.ts';
import { isChange, isInFeed } from '../stored-state.ts';

/**
 * Checks that every remaining change was read, that whoever read to the end had each change that was committed before, and that
 * no answer has a change twice.
 */
export function checkFollower({ items, followers, commits }: Run): string[] {
  const changes = changesIn(commits);
  return followers
    .filter(({ isRefused }) => !isRefused)
    .flatMap((follower) => [...checkOne(follower, items), ...lateOf(follower, changes)]);
}

function checkOne({ appId, answers }: Follower, items: readonly Item[]): string[] {
  const known = new Set(answers.flat().map(({ id }) => id));
  const missed = items.filter((item) => isChange(item) && isInFeed(item, appId) && !known.has(String(item.id)));
  const repeated = answers.flatMap((changes) => {
    const ids = changes.map(({ id }) => id);
    return ids.filter((id, n) => ids.indexOf(id) !== n);
  });
  const foreign = answers.flat().filter((change) => change.appId !== undefined && change.appId !== appId);
  return [
    ...missed.map(({ id, action, requestId }) => `${appId} missed ${id} ${action} of ${requestId}`),
    ...repeated.map((id) => `${appId} has ${id} twice in one answer`),
    ...foreign.map(({ id }) => `${appId} has ${id} of another application`),
  ];
}

interface FedChange {
  readonly item: Item;
  readonly since: number;
  /** When it was removed, with its user. */
  until: number;
}

function changesIn(commits: readonly Commit[]): readonly FedChange[] {
  const found = new Map<string, FedChange>();
  for (const { at, mutations } of commits) {
    for (const { before, after } of mutations) {
      if (before === undefined && after !== undefined && isChange(after))
        found.set(String(after.id), { item: after, since: at, until: Number.POSITIVE_INFINITY });
      const removed = after === undefined && before !== undefined ? found.get(String(before.id)) : undefined;
      if (removed !== undefined && before !== undefined && isChange(before)) removed.until = at;
    }
  }
  return [...found.values()];
}

/** A change is read as soon as it is committed, whatever the index, the stream or a clock does. */
function lateOf({ appId, answers, passes, isFromBeginning }: Follower, changes: readonly FedChange[]): string[] {
  if (!isFromBeginning) return [];
  const known = new Set<string>();
  let counted = 0;
  return passes.flatMap(({ startedAt, endedAt, answers: count }) => {
    for (const { id } of answers.slice(counted, count).flat()) known.add(id);
    counted = count;
    return changes
      .filter(({ item, since, until }) => since < startedAt && until > endedAt && isInFeed(item, appId))
      .filter(({ item }) => !known.has(String(item.id)))
      .map(({ item, since }) => `${appId} read from ${startedAt} to ${endedAt} without ${item.id} of ${since}`);
  });
}
