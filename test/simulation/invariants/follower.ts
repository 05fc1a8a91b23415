import type { Follower } from '../feeds.ts';
import type { Run } from '../run-seed.ts';
import type { Item } from '../simulated-table.ts';
import { isChange } from '../stored-state.ts';

/** Every change that is still there was read, once and in the order of the ids. */
export function checkFollower({ items, followers }: Run): string[] {
  return followers.filter(({ isRefused }) => !isRefused).flatMap((follower) => checkOne(follower, items));
}

function checkOne({ appId, received }: Follower, items: readonly Item[]): string[] {
  const ids = received.map(({ id }) => id);
  const known = new Set(ids);
  const stored = items.filter((item) => isChange(item) && item.appId === appId);
  const missed = stored.filter(({ id }) => !known.has(String(id)));
  return [
    ...missed.map(({ id, action, requestId }) => `${appId} missed ${id} ${action} of ${requestId}`),
    ...(known.size < ids.length ? [`${appId} has a change twice`] : []),
    ...ids.flatMap((id, n) => (n > 0 && id < (ids[n - 1] ?? '') ? [`${appId} has ${id} after a later one`] : [])),
  ];
}
