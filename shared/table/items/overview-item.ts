import * as v from 'valibot';
import type { AppId } from '#shared/contract/fields.ts';
import { type Item, putItem, readItems, type TransactEntry, transact, updateItemIf } from '../client.ts';
import { conditionCheckEntry, deleteEntry, putEntry, updateEntry, updateOf } from '../expression.ts';
import { parseItem } from '../item-schema.ts';
import { applicationKey, type FeedName, isUserFeed, overviewKey, ranges } from '../keys.ts';
import { readItemsOf } from '../read-items-of.ts';
import { type FeedTotals, noTotals, storedTotals, totalsSchema } from './feed-totals.ts';

/*
 * The totals of all feeds in one partition, copied from the logs, so that one query reads them. What is deleted without a
 * change, with its user, is corrected apart from them.
 */

const overviewSchema = v.object({
  sk: v.pipe(
    v.string(),
    v.transform((feed) => feed as FeedName),
  ),
  /** The number of the last change that is counted. */
  upTo: v.optional(v.number(), 0),
  /** When that was, in milliseconds since the epoch. */
  countedAt: v.optional(v.number(), 0),
  totals: v.optional(totalsSchema),
  correctedBlocked: v.optional(v.number(), 0),
});

/** What one feed has counted. */
export interface FeedOverview {
  readonly feed: FeedName;
  readonly upTo: number;
  readonly countedAt: number;
  /** As the log has them, without the correction. */
  readonly totals: FeedTotals;
  /** What erasures add to the blocks: less than zero. */
  readonly correctedBlocked: number;
}

/** The counters of one feed, undefined if there are none; strongly consistent. */
export async function readFeedOverview(feed: FeedName): Promise<FeedOverview | undefined> {
  const [item] = await readItems([overviewKey(feed)]);
  return item && overviewOf(item);
}

/** The counters of all feeds, strongly consistent. */
export async function readOverview(): Promise<FeedOverview[]> {
  const { items } = await readItemsOf(ranges.overview(), Number.POSITIVE_INFINITY);
  return items.map(overviewOf);
}

function overviewOf(item: Item): FeedOverview {
  const { sk, upTo, countedAt, totals = noTotals, correctedBlocked } = parseItem(overviewSchema, item);
  return { feed: sk, upTo, countedAt, totals, correctedBlocked };
}

/** Totals of a log, with the number up to which they count. */
export interface CountedTotals {
  readonly upTo: number;
  readonly countedAt: number;
  readonly totals: FeedTotals;
}

/**
 * Copies the totals of a log, unless the item counts as far already, so that late and repeated copies change nothing. An item
 * is only created for an application that is not deleted: nothing is left of a deleted one.
 */
export async function copyTotals(feed: FeedName, counted: CountedTotals): Promise<void> {
  for (;;) {
    const stored = await readFeedOverview(feed);
    if (stored !== undefined && stored.upTo >= counted.upTo) return;
    const isDone = stored === undefined ? await createTotals(feed, counted) : await updateTotals(feed, counted);
    if (isDone) return;
  }
}

/** False if the item counts as far already, or is gone. */
function updateTotals(feed: FeedName, counted: CountedTotals): Promise<boolean> {
  const { upTo } = counted;
  const condition = { equals: { sk: feed }, below: { upTo } };
  return updateItemIf(updateOf({ key: overviewKey(feed), set: setOf(counted), ...condition }));
}

/** False if the item exists. An application that is deleted gets none, which is also done. */
async function createTotals(feed: FeedName, counted: CountedTotals): Promise<boolean> {
  const entry = putEntry({ ...overviewKey(feed), ...setOf(counted) }, { absent: ['pk'] });
  if (isUserFeed(feed)) return (await putItem(entry)) === undefined;
  const exists = conditionCheckEntry(applicationKey(feed), { equals: { appId: feed }, absent: ['deleting'] });
  const outcome = await transact([exists, entry]);
  return outcome.kind === 'committed' || (outcome.kind === 'refused' && outcome.failed.has(0));
}

function setOf({ upTo, countedAt, totals }: CountedTotals) {
  return { upTo, countedAt, totals: storedTotals(totals) };
}

/** Subtracts a block that is deleted without a change, in the transaction that deletes its access. */
export function uncountBlockEntry(appId: AppId): TransactEntry {
  return updateEntry({ key: overviewKey(appId), set: {}, add: { correctedBlocked: -1 } });
}

/** Deletes the counters of an application. */
export function deleteOverviewEntry(appId: AppId): TransactEntry {
  return deleteEntry(overviewKey(appId));
}
