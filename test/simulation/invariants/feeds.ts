import type { Item } from '../../../local/memory/memory-table.ts';
import type { Run } from '../run-seed.ts';
import { feedOf, isChange, logBlockOf, pendingOf } from '../stored-state.ts';

/**
 * Checks that, at the end, each change of a feed has one number, that numbers have no gaps, that those of a user are in order,
 * and that nothing is pending, whatever the stream did.
 */
export function checkFeeds({ items, commits, swarm }: Run): string[] {
  // Nothing is numbered while orders are explored.
  if (swarm === undefined) return [];
  const logs = new Map<string, string[]>();
  const gaps: string[] = [];
  for (const block of items.map(logBlockOf).filter((found) => found !== undefined)) {
    const log = logs.get(block.feed) ?? [];
    if (block.first !== log.length + 1) gaps.push(`${block.feed} goes on with ${block.first} after ${log.length}`);
    logs.set(block.feed, [...log, ...block.ids]);
  }
  const twice = [...logs].flatMap(([feed, ids]) =>
    ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${feed} has ${id} twice`),
  );
  const made = commits.flatMap(({ mutations }) =>
    mutations.flatMap(({ before, after }) => (before === undefined && after && isChange(after) ? [after] : [])),
  );
  const pending = items.map(pendingOf).filter((found) => found !== undefined);
  return [
    ...gaps,
    ...twice,
    ...made.flatMap((change) => withoutNumber(change, logs)),
    ...[...logs].flatMap(([feed, ids]) => outOfOrder(ids, made).map((id) => `${feed} has ${id} after a later one`)),
    ...pending.map(({ feed, id }) => `${id} is still pending in ${feed}`),
  ];
}

/** The changes of a user that have a higher number than a later one. */
function outOfOrder(ids: readonly string[], made: readonly Item[]): string[] {
  const owners = new Map(made.map(({ id, userId }) => [String(id), userId]));
  const latest = new Map<unknown, string>();
  return ids.filter((id) => {
    const owner = owners.get(id);
    const before = owner === undefined ? '' : (latest.get(owner) ?? '');
    if (id > before) latest.set(owner, id);
    return id < before;
  });
}

function withoutNumber(change: Item, logs: ReadonlyMap<string, readonly string[]>): string[] {
  const feed = feedOf(change);
  if (feed === undefined || logs.get(feed)?.includes(String(change.id)) === true) return [];
  return [`${change.id} ${change.action} has no number in ${feed}`];
}
