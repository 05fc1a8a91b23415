import * as v from 'valibot';
import type { AppId } from '#shared/contract/fields.ts';
import { type Item, readItems, type TransactEntry, transact, updateItemIf } from '../client.ts';
import { conditionCheckEntry, deleteEntry, updateEntry, updateOf } from '../expression.ts';
import { parseItem } from '../item-schema.ts';
import { applicationKey } from '../keys/application-item-keys.ts';
import { countersKey, countersRange } from '../keys/counters-item-keys.ts';
import { type FeedName, isUserFeed } from '../keys/feed-item-keys.ts';
import { readAllOf } from '../read-items-of.ts';
import { isReadable, type LogBlock, lastNumber } from './feed-item.ts';
import { type FeedTotals, noTotals, type StateCounts, storedTotals, totalsSchema } from './feed-totals.ts';

/*
 * The totals of all feeds in one partition, copied from the logs, so that one query reads them. What is deleted without a
 * change, with its user, and what a repair finds to be missing, is corrected apart from them.
 */

const countersSchema = v.object({
  sk: v.pipe(
    v.string(),
    v.transform((feed) => feed as FeedName),
  ),
  /** The number of the last change that is counted. */
  upTo: v.optional(v.number(), 0),
  /** When that was, in milliseconds since the epoch. */
  countedAt: v.optional(v.number(), 0),
  totals: v.optional(totalsSchema),
  correctedUsers: v.optional(v.number(), 0),
  correctedInactive: v.optional(v.number(), 0),
  correctedBlocked: v.optional(v.number(), 0),
  /** How often a repair has written the item. */
  repairs: v.optional(v.number(), 0),
});

/** What one feed has counted. */
export interface FeedCounters {
  readonly feed: FeedName;
  readonly upTo: number;
  readonly countedAt: number;
  /** As the log has them, without the correction. */
  readonly totals: FeedTotals;
  /** What erasures and repairs add to them. */
  readonly corrected: StateCounts;
  readonly repairs: number;
}

/** The counters of one feed, undefined if there are none; strongly consistent. */
export async function readFeedCounters(feed: FeedName): Promise<FeedCounters | undefined> {
  const [item] = await readItems([countersKey(feed)]);
  return item && countersOf(item);
}

/** The counters of all feeds, strongly consistent. */
export async function readCounters(): Promise<FeedCounters[]> {
  const items = await readAllOf(countersRange());
  return items.map(countersOf);
}

function countersOf(item: Item): FeedCounters {
  const {
    sk,
    totals = noTotals,
    correctedUsers,
    correctedInactive,
    correctedBlocked,
    ...rest
  } = parseItem(countersSchema, item);
  const corrected = { users: correctedUsers, inactive: correctedInactive, blocked: correctedBlocked };
  return { feed: sk, totals, corrected, ...rest };
}

/** What was counted up to the end of a log: its last block says it or, once that has expired, the counters. */
export function totalsAtEnd(block: LogBlock | undefined, copied: FeedCounters | undefined) {
  const last = block === undefined ? 0 : lastNumber(block);
  const isKnown = block?.totals !== undefined && isReadable(block);
  if (!isKnown && copied !== undefined && copied.upTo > last) return { upTo: copied.upTo, totals: copied.totals };
  return { upTo: last, totals: block?.totals ?? noTotals };
}

/** Totals of a log, with the number up to which they count. */
export interface CountedTotals {
  readonly upTo: number;
  readonly countedAt: number;
  readonly totals: FeedTotals;
}

/**
 * Copies the totals of a log, unless the item counts as far already, so that late and repeated copies change nothing. An item
 * is only created for an application that is not deleted: nothing is left of a deleted one. `conflict` if somebody else writes
 * the item meanwhile.
 */
export async function copyTotals(feed: FeedName, counted: CountedTotals): Promise<'copied' | 'conflict'> {
  const stored = await readFeedCounters(feed);
  if (stored !== undefined && stored.upTo >= counted.upTo) return 'copied';
  const isDone = stored === undefined ? await createTotals(feed, counted) : await updateTotals(feed, counted);
  return isDone ? 'copied' : 'conflict';
}

/** False if the item counts as far already, or is gone. */
function updateTotals(feed: FeedName, counted: CountedTotals): Promise<boolean> {
  const { upTo } = counted;
  const condition = { equals: { sk: feed }, below: { upTo } };
  return updateItemIf(updateOf({ key: countersKey(feed), set: totalsAttributes(counted), ...condition }));
}

/** False if the item exists, or is just being written. An application that is deleted gets none, which is also done. */
async function createTotals(feed: FeedName, counted: CountedTotals): Promise<boolean> {
  const creation = { key: countersKey(feed), set: totalsAttributes(counted), absent: ['pk'] };
  if (isUserFeed(feed)) return updateItemIf(updateOf(creation));
  const outcome = await transact([liveApplicationEntry(feed), updateEntry(creation)]);
  return outcome.kind === 'committed' || (outcome.kind === 'refused' && outcome.failed.has(0));
}

/** Makes a transaction depend on that the application is there. */
export function liveApplicationEntry(appId: AppId): TransactEntry {
  return conditionCheckEntry(applicationKey(appId), { equals: { appId }, absent: ['deleting'] });
}

/** The attributes of the counters of a feed that has counted up to a number. */
export function totalsAttributes({ upTo, countedAt, totals }: CountedTotals) {
  return { upTo, countedAt, totals: storedTotals(totals) };
}

/** Subtracts a block that is deleted without a change, in the transaction that deletes its access. */
export function uncountBlockEntry(appId: AppId): TransactEntry {
  return updateEntry({ key: countersKey(appId), set: {}, add: { correctedBlocked: -1 } });
}

/** Deletes the counters of an application. */
export function deleteCountersEntry(appId: AppId): TransactEntry {
  return deleteEntry(countersKey(appId));
}
