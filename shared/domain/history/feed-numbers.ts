import { jitter, now, pause } from '#shared/core/clock.ts';
import { log, publishMetrics } from '#shared/core/telemetry.ts';
import { deleteItem } from '#shared/table/client.ts';
import { changeOfRecord, feedOf, type StreamRecord, sequenceNumberOf } from '#shared/table/items/change-item.ts';
import { copyTotals, readFeedCounters, totalsAtEnd } from '#shared/table/items/counters-item.ts';
import {
  addLogBlock,
  type FeedChange,
  isReadable,
  type LogBlock,
  type LogEnd,
  lastNumber,
  type PendingFeedChange,
  readLogEnd,
  readPendingChanges,
  readPendingUpTo,
  restartLog,
} from '#shared/table/items/feed-item.ts';
import type { FeedTotals } from '#shared/table/items/feed-totals.ts';
import { type FeedName, pendingKey } from '#shared/table/keys/feed-item-keys.ts';
import { mapConcurrently } from '../request/map-concurrently.ts';
import { retryOnConflict } from '../request/optimistic-locking.ts';

/**
 * Numbers the pending changes of the feeds to which a stream batch adds. Returns the sequence number from which the batch must
 * be read again, undefined when all are numbered. It goes by what is pending, not by the records, so a batch may be delivered
 * any number of times, late, and to several functions at once. `onNumbered` is called after a feed got numbers, and must not
 * throw.
 */
export async function numberChanges(
  records: readonly StreamRecord[],
  onNumbered: (feed: FeedName) => Promise<void> = async () => undefined,
): Promise<string | undefined> {
  const feeds = [...new Set(records.flatMap(feedsOfRecord))];
  const failed = new Set<FeedName>();
  await mapConcurrently(feeds, async (feed) => {
    try {
      if ((await numberFeed(feed)) > 0) await onNumbered(feed);
    } catch (error) {
      failed.add(feed);
      log.error('Changes could not be numbered', { feed, error });
    }
  });
  const first = records.find((record) => feedsOfRecord(record).some((feed) => failed.has(feed)));
  return first && sequenceNumberOf(first);
}

/** None without a valid change, which the publisher reports. */
function feedsOfRecord(record: StreamRecord): FeedName[] {
  try {
    const change = changeOfRecord(record);
    // Whether a created user was erased before is not known here; in one of the two nothing is pending.
    return [...new Set([feedOf(change, true), feedOf(change, false)])];
  } catch {
    return [];
  }
}

/**
 * Gives each pending change the next number, once; returns how many. The end of the log is read before the pending changes, and
 * the changes of its last block are no longer pending before another block follows. So whatever is pending and not in the last
 * block has no number yet. If another function adds a block meanwhile, the number is taken, and everything is read again.
 * At the end, what the feed has counted is copied beside that of the other feeds. A log whose end cannot be read restarts.
 */
export async function numberFeed(feed: FeedName): Promise<number> {
  let numbered = 0;
  let lost = 0;
  let removed: LogBlock | undefined;
  for (;;) {
    const end = await readLogEnd(feed);
    if (end.isDamaged) {
      await restartLog(feed, end, end.upTo);
      continue;
    }
    const { changes, more } = await readPendingChanges(feed);
    const known = new Set(end.block?.changes.map(({ id }) => id));
    if (end.block?.first !== removed?.first) {
      const left = more ? end.block?.changes : changes.filter(({ id }) => known.has(id));
      await removePending(feed, left ?? []);
      removed = end.block;
    }
    const unnumbered = changes.filter(({ id }) => !known.has(id));
    const block = await addNext(feed, end, unnumbered, known);
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
    if (!more) break;
  }
  await copyCounted(feed, removed);
  return numbered;
}

/** Adds the pending changes without a number; undefined if there are none, or another function was faster. */
async function addNext(
  feed: FeedName,
  end: LogEnd,
  unnumbered: readonly PendingFeedChange[],
  known: ReadonlySet<string>,
): Promise<LogBlock | undefined> {
  if (unnumbered.length === 0) return undefined;
  return addLogBlock(feed, end, await withEarlier(feed, unnumbered, known), await totalsAt(feed, end));
}

/** Reads the counters only if the log does not say it. */
async function totalsAt(feed: FeedName, { block }: LogEnd): Promise<FeedTotals> {
  if (block?.totals !== undefined && isReadable(block)) return block.totals;
  return totalsAtEnd(block, await readFeedCounters(feed)).totals;
}

/** A copy that fails delays no numbers: the next run repeats it. */
async function copyCounted(feed: FeedName, block: LogBlock | undefined): Promise<void> {
  if (block?.totals === undefined) return;
  const { totals } = block;
  try {
    const counted = { upTo: lastNumber(block), countedAt: now().getTime(), totals };
    await retryOnConflict(() => copyTotals(feed, counted));
  } catch (error) {
    log.warn('The counters of a feed could not be copied to the overview', { feed, error });
  }
}

/**
 * The changes with the earlier ones of the same users, by id: a user's changes get their numbers in the order in which they were
 * committed, so what follows a snapshot is never older than what it contains. A query may show a change and, at a place that it
 * read before, lack an earlier one that was committed meanwhile; the next query shows it.
 */
async function withEarlier(feed: FeedName, changes: readonly PendingFeedChange[], known: ReadonlySet<string>) {
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
