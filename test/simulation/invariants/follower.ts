import type { Item } from '../../../local/memory/memory-table.ts';
import type { Follower } from '../feeds.ts';
import type { Run } from '../run-seed.ts';
import { isChange, isInFeed } from '../stored-state.ts';

/** Checks that every remaining change was read, and that each response was ordered by id without duplicates. */
export function checkFollower({ items, followers }: Run): string[] {
  return followers.filter(({ isRefused }) => !isRefused).flatMap((follower) => checkOne(follower, items));
}

function checkOne({ appId, answers }: Follower, items: readonly Item[]): string[] {
  const known = new Set(answers.flat().map(({ id }) => id));
  const missed = items.filter((item) => isChange(item) && isInFeed(item, appId) && !known.has(String(item.id)));
  const unordered = answers.flatMap((changes) =>
    changes.filter(({ id }, n) => n > 0 && id <= (changes[n - 1]?.id ?? '')),
  );
  const foreign = answers.flat().filter((change) => change.appId !== undefined && change.appId !== appId);
  return [
    ...missed.map(({ id, action, requestId }) => `${appId} missed ${id} ${action} of ${requestId}`),
    ...unordered.map(({ id }) => `${appId} has ${id} after a later one`),
    ...foreign.map(({ id }) => `${appId} has ${id} of another application`),
  ];
}
