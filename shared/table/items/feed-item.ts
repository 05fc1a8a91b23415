import * as v from 'valibot';
import type { ChangeAction } from '#shared/contract/change.ts';
import { erasedMarkDays } from '#shared/contract/entry-digest.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { config } from '#shared/core/config.ts';
import { type Item, putItem, queryItems, type TransactEntry, transact } from '../client.ts';
import { conditionCheckEntry, putEntry, updateEntry } from '../expression.ts';
import { parseItem, storedId } from '../item-schema.ts';
import { type FeedName, isPendingKey, type Key, logBlockKey, logEndKey, ranges, secondsPerDay } from '../keys.ts';
import { readAllOf, readItemsOf } from '../read-items-of.ts';
import type { ChangeCounts } from './change-counts.ts';
import { addToTotals, type FeedTotals, storedTotals, totalsSchema } from './feed-totals.ts';

/*
 * A feed has the changes for one application, or those of users that concern every application, in the order in which they
 * were numbered. A change is pending from its transaction on (`putChangeEntries`), until the reader of the table's stream gives
 * it a number.
 */

const feedChangeSchema = v.object({
  id: v.string(),
  action: v.custom<ChangeAction>((action) => typeof action === 'string'),
  userId: v.exactOptional(storedId<UserId>()),
});

const isMap = (value: unknown) => typeof value === 'object' && value !== null;

/** As long as it is pending, a change also has what it counts. */
const pendingSchema = v.object({ ...feedChangeSchema.entries, counts: v.exactOptional(v.custom<ChangeCounts>(isMap)) });
export type PendingFeedChange = Readonly<v.InferOutput<typeof pendingSchema>>;

/** A change in a feed: what finds it, and its action for filters. The Change itself has the rest. */
export type FeedChange = Readonly<v.InferOutput<typeof feedChangeSchema>>;

const blockSchema = v.object({
  /** The number of the first change; the others follow without gaps. */
  first: v.number(),
  changes: v.pipe(v.array(feedChangeSchema), v.minLength(1), v.readonly()),
  /** Until when the block can be read, in seconds since the epoch; never earlier than for the block before. */
  keptUntil: v.number(),
  /** What the feed has counted up to the end of the block. Blocks that were written before this existed lack it. */
  totals: v.exactOptional(totalsSchema),
});

/** Up to 100 changes that were numbered at once. */
export type LogBlock = Readonly<v.InferOutput<typeof blockSchema>>;

const endSchema = v.object({
  upTo: v.number(),
  startsAfter: v.optional(v.number(), 0),
  restartedAt: v.optional(v.number(), 0),
});

/** As long as the tombstone of an erased user, whose id a log also contains. */
export const maxFeedDays = erasedMarkDays;
/** DynamoDB removes expired items in any order, and a clock can be wrong: blocks are unreadable long before they can be gone. */
const marginSeconds = secondsPerDay;
/** How many numbers are reserved at once. If every block has expired, the numbers continue after the reserved ones. */
const reservedNumbers = 1000;

/** The number of the last change of a block. */
export function lastNumber({ first, changes }: LogBlock): number {
  return first + changes.length - 1;
}

export function isReadable({ keptUntil }: LogBlock): boolean {
  return keptUntil > now().getTime() / 1000;
}

/** Whether a block is readable and not from before the log began anew. */
export function isCurrent(block: LogBlock, { startsAfter }: Pick<LogEnd, 'startsAfter'>): boolean {
  return isReadable(block) && block.first > startsAfter;
}

/** The end of a log: its last block, and the highest number that may be in use; strongly consistent. */
export interface LogEnd {
  readonly block: LogBlock | undefined;
  readonly upTo: number;
  /** The log began anew after this number, and does not continue the blocks up to it; 0 if it never did. */
  readonly startsAfter: number;
  /** When it did, in milliseconds since the epoch: changes from before have no place in it; 0 if it never did. */
  readonly restartedAt: number;
}

export async function readLogEnd(feed: FeedName): Promise<LogEnd> {
  const { items } = await readItemsOf({ ...ranges.log(feed, 0), descending: true }, 2);
  return logOf(feed, items);
}

function logOf(feed: FeedName, items: readonly (Item & Key)[]): LogEnd {
  const end = items.find(({ sk }) => sk === logEndKey(feed).sk);
  const [block] = blocksOf(feed, items);
  return { block, ...(end === undefined ? { upTo: 0, startsAfter: 0, restartedAt: 0 } : parseItem(endSchema, end)) };
}

function blocksOf(feed: FeedName, items: readonly (Item & Key)[]): LogBlock[] {
  return items
    .filter((item) => !isPendingKey(item) && item.sk !== logEndKey(feed).sk)
    .map((item) => parseItem(blockSchema, item));
}

function pendingOf(items: readonly (Item & Key)[]): PendingFeedChange[] {
  return items.filter(isPendingKey).map((item) => parseItem(pendingSchema, item));
}

/** The first 100 pending changes of a feed, strongly consistent, and whether there may be more. */
export async function readPendingChanges(feed: FeedName) {
  const { items, next } = await readItemsOf(ranges.pendingChanges(feed), 100);
  return { changes: pendingOf(items), more: next !== undefined };
}

/** All pending changes of a feed up to the place of one of them, strongly consistent. */
export async function readPendingUpTo(feed: FeedName, last?: FeedChange): Promise<PendingFeedChange[]> {
  const items = await readAllOf(ranges.pendingChanges(feed, last));
  return pendingOf(items);
}

/** What a reader of a feed finds: the blocks from one on, in order, and what is pending. */
export interface FeedNews extends Pick<LogEnd, 'upTo' | 'startsAfter'> {
  readonly blocks: readonly LogBlock[];
  /** Without a number, or with one that is in the blocks or follows them. */
  readonly pending: readonly FeedChange[];
  /** Whether the blocks reach the end of the log. */
  readonly complete: boolean;
}

/** A reader that polls finds all that is new in one query of this many items. */
const newsItems = 100;
/** The blocks of a page for a reader that is behind. */
const blocksPerPage = 200;

/**
 * Reads a feed from the block that begins with this number, strongly consistent. Pending changes are read before the log: one
 * that gets its number meanwhile is in at least one of them.
 */
export async function readFeedNews(feed: FeedName, first: number): Promise<FeedNews> {
  const news = await queryItems(ranges.feedNews(feed, first), { limit: newsItems });
  if (news.next === undefined) {
    const { block: _, ...end } = logOf(feed, news.items);
    return { blocks: blocksOf(feed, news.items).reverse(), pending: pendingOf(news.items), ...end, complete: true };
  }
  const pending = await readPendingUpTo(feed);
  const log = await readItemsOf(ranges.log(feed, first), blocksPerPage);
  const complete = log.next === undefined;
  const { block: _, ...end } = logOf(feed, log.items);
  return { blocks: blocksOf(feed, log.items), pending, ...end, complete };
}

/**
 * The last readable block of a log that has only ids below one; without such a block, the number before the oldest readable one.
 * Strongly consistent.
 */
export async function readBlockBefore(
  feed: FeedName,
  id: string,
): Promise<{ readonly block: LogBlock } | { readonly number: number }> {
  const end = await readLogEnd(feed);
  let number = end.block !== undefined && isCurrent(end.block, end) ? lastNumber(end.block) : end.upTo;
  let after: Item | undefined;
  do {
    const page = await queryItems({ ...ranges.log(feed, 0), descending: true }, { limit: blocksPerPage, after });
    for (const block of blocksOf(feed, page.items)) {
      if (!isCurrent(block, end)) return { number };
      if (block.changes.every((change) => change.id < id)) return { block };
      number = block.first - 1;
    }
    after = page.next;
  } while (after !== undefined);
  return { number };
}

/**
 * Adds a block to the end of a log, on condition that its first number is free: of several writers that have read the same end,
 * one succeeds. Undefined for the others. The block has the totals of the feed after it.
 */
export async function addLogBlock(
  feed: FeedName,
  end: LogEnd,
  pending: readonly PendingFeedChange[],
  before: FeedTotals,
): Promise<LogBlock | undefined> {
  const { block: last, upTo } = end;
  const first = nextNumber(end);
  const keptUntil = Math.max(last?.keptUntil ?? 0, Math.ceil(now().getTime() / 1000) + feedDays() * secondsPerDay);
  const totals = addToTotals(before, pending);
  const block = { first, changes: pending.map(({ counts: _, ...change }) => change), keptUntil, totals };
  const ttl = keptUntil + marginSeconds;
  const item = { ...logBlockKey(feed, first), ...block, totals: storedTotals(totals), ttl };
  const entry = putEntry(item, { absent: ['pk'] });
  const isReserved = lastNumber(block) <= upTo;
  const isAdded = isReserved
    ? (await putItem(entry)) === undefined
    : (await transact([reserveNumbers(feed, upTo, lastNumber(block)), entry])).kind === 'committed';
  return isAdded ? block : undefined;
}

function nextNumber({ block: last, upTo, startsAfter }: LogEnd): number {
  const used = last !== undefined && isReadable(last) ? lastNumber(last) : upTo;
  return Math.max(used, startsAfter) + 1;
}

function reserveNumbers(feed: FeedName, upTo: number, last: number): TransactEntry {
  const set = { upTo: Math.ceil(last / reservedNumbers) * reservedNumbers };
  return updateEntry({ key: logEndKey(feed), set, ...(upTo === 0 ? { absent: ['upTo'] } : { equals: { upTo } }) });
}

/**
 * Begins a log anew after a number: positions before it expire, because the next block does not follow theirs. For when this
 * table may lack numbers that were given out elsewhere. False if the end of the log has changed since the read.
 */
export async function restartLog(
  feed: FeedName,
  { upTo }: Pick<LogEnd, 'upTo'>,
  startsAfter: number,
): Promise<boolean> {
  const set = { upTo: startsAfter, startsAfter, restartedAt: now().getTime() };
  const update = { key: logEndKey(feed), set, ...(upTo === 0 ? { absent: ['upTo'] } : { equals: { upTo } }) };
  return (await transact([updateEntry(update)])).kind === 'committed';
}

/** The blocks of a log from the one that begins with this number, also those before it began anew; strongly consistent. */
export async function readLogFrom(feed: FeedName, first: number) {
  const items = await readAllOf(ranges.log(feed, first));
  return { blocks: blocksOf(feed, items), end: logOf(feed, items.toReversed()) };
}

/** Makes a transaction depend on the end of a log: nothing has been numbered since. */
export function requireLogEndEntry(feed: FeedName, end: LogEnd): TransactEntry {
  return conditionCheckEntry(logBlockKey(feed, nextNumber(end)), { absent: ['pk'] });
}

/** How long a feed can be followed without a new snapshot. */
export function feedDays(): number {
  return Math.min(maxFeedDays, config().changeRetentionDays);
}
