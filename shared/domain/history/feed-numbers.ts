import { jitter, pause } from '#shared/core/clock.ts';
import { log, publishMetrics } from '#shared/core/telemetry.ts';
import { deleteItem } from '#shared/table/client.ts';
import { changeOfRecord, feedOf, type StreamRecord, sequenceNumberOf } from '#shared/table/items/change-item.ts';
import {
  addLogBlock,
  type FeedChange,
  type LogBlock,
  readLogEnd,
  readPendingChanges,
  readPendingUpTo,
} from '#shared/table/items/feed-item.ts';
import { type FeedName, pendingKey } from '#shared/table/keys.ts';
import { mapConcurrently } from '../request/map-concurrently.ts';

/**
 * Numbers the pending changes of the feeds to which a stream batch adds. Returns the sequence number from which the batch must
 * be read again, undefined when all are numbered. It goes by what is pending, not by the records, so a batch may be delivered
 * any number of times, late, and to several functions at once.
 */
export async function numberChanges(records: readonly StreamRecord[]): Promise<string | undefined> {
  const feeds = [...new Set(records.map(feedOfRecord).filter((feed) => feed !== undefined))];
  const failed = new Set<FeedName>();
  await mapConcurrently(feeds, async (feed) => {
    try {
      await numberFeed(feed);
    } catch (error) {
      failed.add(feed);
      log.error('Changes could not be numbered', { feed, error });
    }
  });
  const first = records.find((record) => failed.has(feedOfRecord(record) as FeedName));
  return first && sequenceNumberOf(first);
}

/** Undefined without a valid change, which the publisher reports, and for changes that are in no feed. */
function feedOfRecord(record: StreamRecord): FeedName | undefined {
  try {
    // Whether a created user was erased before is not known here; if not, nothing is pending.
    return feedOf(changeOfRecord(record), true);
  } catch {
    return undefined;
  }
}

/**
 * Gives each pending change the next number, once; returns how many. The end of the log is read before the pending changes, and
 * the changes of its last block are no longer pending before another block follows. So whatever is pending and not in the last
 * block has no number yet. If another function adds a block meanwhile, the number is taken, and everything is read again.
 */
export async function numberFeed(feed: FeedName): Promise<number> {
  let numbered = 0;
  let lost = 0;
  let removed: LogBlock | undefined;
  for (;;) {
    const end = await readLogEnd(feed);
    const { changes, more } = await readPendingChanges(feed);
    const known = new Set(end.block?.changes.map(({ id }) => id));
    if (end.block?.first !== removed?.first) {
      const left = more ? end.block?.changes : changes.filter(({ id }) => known.has(id));
      await removePending(feed, left ?? []);
      removed = end.block;
    }
    const unnumbered = changes.filter(({ id }) => !known.has(id));
    const block =
      unnumbered.length === 0 ? undefined : await addLogBlock(feed, end, await withEarlier(feed, unnumbered, known));
    if (block !== undefined) {
      await removePending(feed, block.changes);
      removed = block;
      publishMetrics({ ChangesNumbered: block.changes.length });
      numbered += block.changes.length;
      lost = 0;
    } else if (unnumbered.length > 0) {
      // Another function has added a block.
      lost += 1;
      await pause(jitter(Math.min(1000, 10 * 2 ** lost)));
      continue;
    }
    if (!more) return numbered;
  }
}

/**
 * The changes with the earlier ones of the same users, by id: a user's changes get their numbers in the order in which they were
 * committed, so what follows a snapshot is never older than what it contains. A query may show a change and, at a place that it
 * read before, lack an earlier one that was committed meanwhile; the next query shows it.
 */
async function withEarlier(feed: FeedName, changes: readonly FeedChange[], known: ReadonlySet<string>) {
  const latest = new Map<string | undefined, string>();
  for (const { id, userId } of changes) if (id > (latest.get(userId) ?? '')) latest.set(userId, id);
  const taken = new Set(changes.map(({ id }) => id));
  const again = await readPendingUpTo(feed, changes.at(-1));
  const earlier = again.filter(({ id, userId }) => !taken.has(id) && !known.has(id) && id < (latest.get(userId) ?? ''));
  return [...changes, ...earlier].sort(byId);
}

async function removePending(feed: FeedName, changes: readonly FeedChange[]): Promise<void> {
  await mapConcurrently(changes, (change) => deleteItem(pendingKey(feed, change)));
}

function byId(one: FeedChange, other: FeedChange): number {
  return one.id < other.id ? -1 : 1;
}
