import type { Item } from '../../../local/memory/memory-table.ts';
import type { Follower } from '../feeds.ts';
import type { Run } from '../run-seed.ts';
import type { Commit } from '../simulated-dynamodb.ts';
import { isChange, isInFeed } from '../stored-state.ts';

/**
 * Checks that every remaining change was read, that whoever read to the end had each change that was committed before, and that
 * no answer has a change twice. With a filter, this holds for the actions asked for, and there are no others.
 */
export function checkFollower({ items, followers, commits }: Run): string[] {
  const changes = changesIn(commits);
  return followers.flatMap((follower) => {
    if (!follower.isRefused) return [...checkOne(follower, items), ...lateOf(follower, changes)];
    return follower.refusal === 'key_revoked' ? [] : [`${follower.appId} was refused with ${follower.refusal}`];
  });
}

function checkOne(follower: Follower, items: readonly Item[]): string[] {
  const { appId, answers } = follower;
  const known = new Set(answers.flat().map(({ id }) => id));
  const missed = items.filter((item) => isChange(item) && isFollowed(item, follower) && !known.has(String(item.id)));
  const repeated = answers.flatMap((changes) => {
    const ids = changes.map(({ id }) => id);
    return ids.filter((id, n) => ids.indexOf(id) !== n);
  });
  const foreign = answers.flat().filter((change) => change.appId !== undefined && change.appId !== appId);
  const unwanted = answers.flat().filter(({ action }) => !isWanted(action, follower));
  return [
    ...missed.map(({ id, action, requestId }) => `${appId} missed ${id} ${action} of ${requestId}`),
    ...repeated.map((id) => `${appId} has ${id} twice in one answer`),
    ...foreign.map(({ id }) => `${appId} has ${id} of another application`),
    ...unwanted.map(({ id, action }) => `${appId} has ${id}, ${action}, and asked for other actions`),
  ];
}

function isFollowed(item: Item, follower: Follower): boolean {
  return isInFeed(item, follower.appId) && isWanted(item.action, follower);
}

function isWanted(action: unknown, { actions }: Follower): boolean {
  return actions?.some((wanted) => wanted === action) ?? true;
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
function lateOf(follower: Follower, changes: readonly FedChange[]): string[] {
  const { appId, answers, passes, isFromBeginning } = follower;
  if (!isFromBeginning) return [];
  const known = new Set<string>();
  let counted = 0;
  return passes.flatMap(({ startedAt, endedAt, answers: count }) => {
    for (const { id } of answers.slice(counted, count).flat()) known.add(id);
    counted = count;
    return changes
      .filter(({ item, since, until }) => since < startedAt && until > endedAt && isFollowed(item, follower))
      .filter(({ item }) => !known.has(String(item.id)))
      .map(({ item, since }) => `${appId} read from ${startedAt} to ${endedAt} without ${item.id} of ${since}`);
  });
}
