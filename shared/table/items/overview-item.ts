import * as v from 'valibot';
import type { AppId } from '#shared/contract/fields.ts';
import { type Item, readItems, type TransactEntry, transact, updateItemIf } from '../client.ts';
import { conditionCheckEntry, deleteEntry, updateEntry, updateOf } from '../expression.ts';
import { parseItem } from '../item-schema.ts';
import { applicationKey } from '../keys/application-item-keys.ts';
import { type FeedName, isUserFeed } from '../keys/feed-item-keys.ts';
import { overviewKey, overviewRange } from '../keys/overview-item-keys.ts';
import { readAllOf } from '../read-items-of.ts';
import { isReadable, type LogBlock, lastNumber } from './feed-item.ts';
import { type FeedTotals, noTotals, type StateCounts, storedTotals, totalsSchema } from './feed-totals.ts';

/*
 * The totals of all feeds in one partition, copied from the logs, so that one query reads them. What is deleted without a
 * change, with its user, and what a repair finds to be missing, is corrected apart from them.
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
  correctedUsers: v.optional(v.number(), 0),
  correctedInactive: v.optional(v.number(), 0),
  correctedBlocked: v.optional(v.number(), 0),
  /** How often a repair has written the item. */
  repairs: v.optional(v.number(), 0),
});

/** What one feed has counted. */
export interface FeedOverview {
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
export async function readFeedOverview(feed: FeedName): Promise<FeedOverview | undefined> {
  const [item] = await readItems([overviewKey(feed)]);
  return item && overviewOf(item);
}

/** The counters of all feeds, strongly consistent. */
export async function readOverview(): Promise<FeedOverview[]> {
  const items = await readAllOf(overviewRange());
  return items.map(overviewOf);
}

function overviewOf(item: Item): FeedOverview {
  const {
    sk,
    totals = noTotals,
    correctedUsers,
    correctedInactive,
    correctedBlocked,
    ...rest
  } = parseItem(overviewSchema, item);
  const corrected = { users: correctedUsers, inactive: correctedInactive, blocked: correctedBlocked };
  return { feed: sk, totals, corrected, ...rest };
}

/** What was counted up to the end of a log: its last block says it or, once that has expired, the overview. */
export function totalsAtEnd(block: LogBlock | undefined, copied: FeedOverview | undefined) {
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
  const stored = await readFeedOverview(feed);
  if (stored !== undefined && stored.upTo >= counted.upTo) return 'copied';
  const isDone = stored === undefined ? await createTotals(feed, counted) : await updateTotals(feed, counted);
  return isDone ? 'copied' : 'conflict';
}

/** False if the item counts as far already, or is gone. */
function updateTotals(feed: FeedName, counted: CountedTotals): Promise<boolean> {
  const { upTo } = counted;
  const condition = { equals: { sk: feed }, below: { upTo } };
  return updateItemIf(updateOf({ key: overviewKey(feed), set: setOf(counted), ...condition }));
}

/** False if the item exists, or is just being written. An application that is deleted gets none, which is also done. */
async function createTotals(feed: FeedName, counted: CountedTotals): Promise<boolean> {
  const creation = { key: overviewKey(feed), set: setOf(counted), absent: ['pk'] };
  if (isUserFeed(feed)) return updateItemIf(updateOf(creation));
  const outcome = await transact([liveApplicationEntry(feed), updateEntry(creation)]);
  return outcome.kind === 'committed' || (outcome.kind === 'refused' && outcome.failed.has(0));
}

function liveApplicationEntry(appId: AppId): TransactEntry {
  return conditionCheckEntry(applicationKey(appId), { equals: { appId }, absent: ['deleting'] });
}

function setOf({ upTo, countedAt, totals }: CountedTotals) {
  return { upTo, countedAt, totals: storedTotals(totals) };
}

/** Subtracts a block that is deleted without a change, in the transaction that deletes its access. */
export function uncountBlockEntry(appId: AppId): TransactEntry {
  return updateEntry({ key: overviewKey(appId), set: {}, add: { correctedBlocked: -1 } });
}

/** What a repair writes: the totals at the end of a log, if the copy is another, and what they lack. */
export interface OverviewMending {
  readonly counted: CountedTotals | undefined;
  readonly missing: StateCounts;
}

/**
 * Adds what is missing, if no repair has done so since the counters were read. What is missing stays the same while changes
 * are numbered and users erased, so neither prevents it; but totals are only set if they have not been copied meanwhile.
 */
export function repairOverviewEntries(
  feed: FeedName,
  stored: FeedOverview | undefined,
  { counted, missing: { users, inactive, blocked } }: OverviewMending,
): TransactEntry[] {
  const missing = { correctedUsers: users, correctedInactive: inactive, correctedBlocked: blocked };
  const add = { repairs: 1, ...Object.fromEntries(Object.entries(missing).filter(([, count]) => count !== 0)) };
  const known = { repairs: stored?.repairs ?? 0, ...(counted && { upTo: stored?.upTo ?? 0 }) };
  const unset = Object.entries(known).flatMap(([name, value]) => (value === 0 ? [name] : []));
  const equals = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== 0));
  const condition = stored === undefined ? { absent: ['pk'] } : { equals: { sk: feed, ...equals }, absent: unset };
  const update = updateEntry({ key: overviewKey(feed), set: counted ? setOf(counted) : {}, add, ...condition });
  return isUserFeed(feed) ? [update] : [liveApplicationEntry(feed), update];
}

/** Deletes the counters of an application that is not there, or whose deletion is complete. */
export function deleteForeignOverviewEntries(appId: AppId, isKnown: boolean): TransactEntry[] {
  const condition = isKnown ? { equals: { swept: true } } : { absent: ['pk'] };
  return [conditionCheckEntry(applicationKey(appId), condition), deleteOverviewEntry(appId)];
}

/** Deletes the counters of an application. */
export function deleteOverviewEntry(appId: AppId): TransactEntry {
  return deleteEntry(overviewKey(appId));
}
