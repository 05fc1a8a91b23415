import * as v from 'valibot';
import type { ChangeAction } from '#shared/contract/change.ts';
import { erasedMarkDays } from '#shared/contract/entry-digest.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { timeOfUlid, ulidPattern } from '#shared/contract/ulid.ts';
import { isPossible, now } from '#shared/core/clock.ts';
import { config } from '#shared/core/config.ts';
import { type Item, putItem, queryItems, type TransactEntry, transact } from '../client.ts';
import { conditionCheckEntry, putEntry, updateEntry } from '../expression.ts';
import { storedId } from '../item-schema.ts';
import type { Key } from '../key.ts';
import {
  type FeedName,
  feedNewsRange,
  isPendingKey,
  logBlockKey,
  logEndKey,
  logRange,
  pendingChangesRange,
  pendingKey,
  pendingPlace,
  pendingPlaceOf,
} from '../keys/feed-item-keys.ts';
import { readAllOf, readItemsOf } from '../read-items-of.ts';
import { secondsPerDay } from '../ttl.ts';
import type { ChangeCounts } from './change-counts.ts';
import { addToTotals, type FeedTotals, storedTotals, totalsSchema } from './feed-totals.ts';
import { reportUnreadable } from './unreadable-item.ts';

/*
 * A feed has the changes for one application, or those of users that concern every application, in the order in which they
 * were numbered. A change is pending from its transaction on (`putChangeEntries`), until the reader of the table's stream gives
 * it a number.
 */

const feedChangeSchema = v.object({
  id: v.pipe(
    v.string(),
    v.regex(ulidPattern),
    v.check((id) => isPossible(timeOfUlid(id))),
  ),
  action: v.custom<ChangeAction>((action) => typeof action === 'string'),
  userId: v.exactOptional(storedId<UserId>()),
});

const countsSchema = v.object({
  users: v.exactOptional(v.number()),
  inactive: v.exactOptional(v.number()),
  blocked: v.exactOptional(v.number()),
  flip: v.exactOptional(v.picklist(['block', 'unblock'])),
}) satisfies v.GenericSchema<ChangeCounts>;

/** As long as it is pending, a change also has what it counts. */
const pendingSchema = v.object({ ...feedChangeSchema.entries, counts: v.exactOptional(countsSchema) });
export type PendingFeedChange = Readonly<v.InferOutput<typeof pendingSchema>>;

/** A change in a feed: what finds it, and its action for filters. The Change itself has the rest. */
export type FeedChange = Readonly<v.InferOutput<typeof feedChangeSchema>>;

/** A number in a key has 12 digits. */
const maxNumber = 900_000_000_000;
const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxNumber));

const blockSchema = v.object({
  /** The number of the first change; the others follow without gaps. */
  first: wholeNumber,
  changes: v.pipe(v.array(feedChangeSchema), v.minLength(1), v.readonly()),
  /** Until when the block can be read, in seconds since the epoch; never earlier than for the block before. */
  keptUntil: v.number(),
  /** What the feed has counted up to the end of the block. Blocks that were written before this existed lack it. */
  totals: v.exactOptional(totalsSchema),
});

/** Up to 100 changes that were numbered at once. */
export type LogBlock = Readonly<v.InferOutput<typeof blockSchema>>;

const endSchema = v.object({
  upTo: wholeNumber,
  startsAfter: v.optional(wholeNumber, 0),
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

/** Whether a block is readable and was written after the log last restarted. */
export function isCurrent(block: LogBlock, { startsAfter }: Pick<LogEnd, 'startsAfter'>): boolean {
  return isReadable(block) && block.first > startsAfter;
}

/** The end of a log: its last block, and the highest number that may be in use; strongly consistent. */
export interface LogEnd {
  readonly block: LogBlock | undefined;
  readonly upTo: number;
  /** The log restarted after this number, and does not continue the blocks up to it; 0 if it never did. */
  readonly startsAfter: number;
  /** When it did, in milliseconds since the epoch: changes from before have no place in it; 0 if it never did. */
  readonly restartedAt: number;
  /** `upTo` as it is stored, on which the next write depends; undefined if there is none. */
  readonly stored: unknown;
  /** Whether the item that says all this cannot be read. The log must restart before another number. */
  readonly isDamaged: boolean;
  /** The sort keys of items behind the block that cannot be read. */
  readonly unreadable: ReadonlySet<string>;
}

/** How many items that cannot be read are skipped to find the last block of a log. */
const skippedItems = 200;

export async function readLogEnd(feed: FeedName): Promise<LogEnd> {
  const range = { ...logRange(feed, 0), descending: true };
  const { items, next } = await readItemsOf(range, 2);
  const end = logOf(feed, items);
  if (end.block !== undefined || next === undefined) return end;
  return logOf(feed, (await readItemsOf(range, skippedItems)).items);
}

/** The end of a log that is read backwards. */
function logOf(feed: FeedName, items: readonly (Item & Key)[]): LogEnd {
  const [block] = blocksOf(feed, items);
  const last = block === undefined ? '' : logBlockKey(feed, block.first).sk;
  const behind = items.filter((item) => isBlockKey(feed, item) && item.sk > last);
  const unreadable = new Set(behind.map(({ sk }) => sk));
  const end = items.find(({ sk }) => sk === logEndKey(feed).sk);
  if (end === undefined) {
    return { block, upTo: 0, startsAfter: 0, restartedAt: 0, stored: undefined, isDamaged: false, unreadable };
  }
  const read = v.safeParse(endSchema, end);
  if (read.success) return { block, ...read.output, stored: end.upTo, isDamaged: false, unreadable };
  reportUnreadable(end);
  const upTo = reserve(block === undefined ? 0 : lastNumber(block));
  return { block, upTo, startsAfter: 0, restartedAt: 0, stored: end.upTo, isDamaged: true, unreadable };
}

function isBlockKey(feed: FeedName, key: Key): boolean {
  return !isPendingKey(key) && key.sk !== logEndKey(feed).sk;
}

/** The blocks of a log, without what cannot be read: followers who have not read it yet find a gap, and read the snapshot. */
function blocksOf(feed: FeedName, items: readonly (Item & Key)[]): LogBlock[] {
  return items
    .filter((item) => isBlockKey(feed, item))
    .flatMap((item) => {
      const { success, output } = v.safeParse(blockSchema, item);
      if (success && item.sk === logBlockKey(feed, output.first).sk) return [output];
      reportUnreadable(item);
      return [];
    });
}

function pendingOf(feed: FeedName, items: readonly (Item & Key)[]): PendingFeedChange[] {
  return items.filter(isPendingKey).flatMap((item) => {
    const { success, output } = v.safeParse(pendingSchema, item);
    if (success && item.sk === pendingKey(feed, output).sk) return [output];
    reportUnreadable(item);
    return [];
  });
}

/** The keys of everything in a feed that cannot be read but its end, which the next number writes again; strongly consistent. */
export async function readUnreadableKeys(feed: FeedName): Promise<Key[]> {
  const items = await readAllOf(feedNewsRange(feed, 0));
  return items
    .filter((item) => isPendingKey(item) || isBlockKey(feed, item))
    .filter((item) => [...blocksOf(feed, [item]), ...pendingOf(feed, [item])].length === 0)
    .map(({ pk, sk }) => ({ pk, sk }));
}

/** The first 100 pending changes of a feed, strongly consistent, and whether there may be more. */
export async function readPendingChanges(feed: FeedName) {
  let after: Item | undefined;
  for (;;) {
    const { items, next } = await readItemsOf(pendingChangesRange(feed), 100, after);
    const changes = pendingOf(feed, items);
    // Without this, a hundred that cannot be read would hide all that follow.
    if (changes.length > 0 || next === undefined) return { changes, more: next !== undefined };
    after = next;
  }
}

/** All pending changes of a feed up to the place of one of them, strongly consistent. */
export async function readPendingUpTo(feed: FeedName, last?: FeedChange): Promise<PendingFeedChange[]> {
  const items = await readAllOf(pendingChangesRange(feed, { through: last && pendingPlace(last) }));
  return pendingOf(feed, items);
}

/** What is pending after a place. */
interface PendingPage {
  /** Without a number, or with one that is in the blocks or follows them; by place. */
  readonly pending: readonly FeedChange[];
  /** The place up to which it was read; undefined if that is all. */
  readonly pendingTo: string | undefined;
}

/** What a reader of a feed finds: the blocks from one on, in order, and what is pending. */
export interface FeedNews extends Pick<LogEnd, 'upTo' | 'startsAfter'>, PendingPage {
  readonly blocks: readonly LogBlock[];
  /** Whether the blocks reach the end of the log. */
  readonly complete: boolean;
}

/** A reader that polls finds all that is new in one query of this many items. */
const newsItems = 100;
/** The blocks of a page for a reader that is behind. */
const blocksPerPage = 200;

/** What a reader takes at once. */
export interface NextPage {
  /** How many changes it takes at most. */
  readonly count: number;
  /** The place after which it takes pending ones; `all` if it must know all of them. */
  readonly pendingAfter: string | 'all' | undefined;
  /** The place up to which it knows most pending ones, so that it must see them all to find what is new. */
  readonly pendingThrough?: string | undefined;
}

/** The most pending changes of a feed that are read to find which of them are new. */
const mostKnown = 2500;

/** The next pending changes, or all, strongly consistent. */
async function readPendingOf(feed: FeedName, { count, pendingAfter, pendingThrough }: NextPage): Promise<PendingPage> {
  if (pendingAfter === 'all') return { pending: await readPendingUpTo(feed), pendingTo: undefined };
  const range = pendingChangesRange(feed, { after: pendingAfter, through: pendingThrough });
  const { items, next } = await readItemsOf(range, pendingThrough === undefined ? count : mostKnown);
  const last = items.at(-1);
  return {
    pending: pendingOf(feed, items),
    pendingTo: next === undefined || last === undefined ? pendingThrough : pendingPlaceOf(last),
  };
}

/**
 * Reads a feed from the block that begins with this number, strongly consistent. Pending changes are read before the log: one
 * that gets its number meanwhile is in at least one of them.
 */
export async function readFeedNews(feed: FeedName, first: number, page: NextPage): Promise<FeedNews> {
  const { pendingAfter, pendingThrough } = page;
  const isFirstPage = (pendingAfter ?? 'all') === 'all' && pendingThrough === undefined;
  const news = isFirstPage ? await queryItems(feedNewsRange(feed, first), { limit: newsItems }) : undefined;
  if (news !== undefined && news.next === undefined) {
    const { upTo, startsAfter } = logOf(feed, news.items);
    const blocks = blocksOf(feed, news.items).reverse();
    return { blocks, pending: pendingOf(feed, news.items), pendingTo: undefined, upTo, startsAfter, complete: true };
  }
  const pending = await readPendingOf(feed, page);
  const log = await readLogPage(feed, first, { atFirst: blocksPerPage, count: 1 });
  const complete = log.next === undefined;
  const { upTo, startsAfter } = logOf(feed, log.items);
  return { blocks: blocksOf(feed, log.items), ...pending, upTo, startsAfter, complete };
}

/**
 * Reads a feed for a reader that is behind, from the block that begins with this number, without the pending changes, which come
 * later, unless all must be known; near the end like `readFeedNews`.
 */
export async function readNextBlocks(feed: FeedName, first: number, page: NextPage): Promise<FeedNews> {
  const all = page.pendingAfter === 'all' ? await readPendingUpTo(feed) : undefined;
  const { items, next } = await readLogPage(feed, first, { atFirst: 2, count: page.count });
  const complete = next === undefined;
  if (complete && all === undefined) return readFeedNews(feed, first, page);
  const { upTo, startsAfter } = logOf(feed, items);
  return { blocks: blocksOf(feed, items), pending: all ?? [], pendingTo: undefined, upTo, startsAfter, complete };
}

interface LogPage {
  /** How many items are read before any more are known to be needed. */
  readonly atFirst: number;
  /** How many changes after the reader's own block it has at least, if the log has them: so every page makes progress. */
  readonly count: number;
}

/** Reads the log on from a reader's block. */
async function readLogPage(feed: FeedName, first: number, { atFirst, count }: LogPage) {
  const range = logRange(feed, first);
  let page = await readItemsOf(range, atFirst);
  while (page.next !== undefined) {
    const following = blocksOf(feed, page.items).slice(1);
    const found = following.reduce((sum, { changes }) => sum + changes.length, 0);
    if (found >= count) break;
    const missing = found === 0 ? blocksPerPage : Math.ceil((count - found) / (found / following.length));
    const { items, next } = await readItemsOf(range, Math.min(blocksPerPage, missing), page.next);
    page = { items: [...page.items, ...items], next };
  }
  return page;
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
    const page = await queryItems({ ...logRange(feed, 0), descending: true }, { limit: blocksPerPage, after });
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
  const first = nextNumber(feed, end);
  const keptUntil = Math.max(last?.keptUntil ?? 0, Math.ceil(now().getTime() / 1000) + feedDays() * secondsPerDay);
  const totals = addToTotals(before, pending);
  const block = { first, changes: pending.map(({ counts: _, ...change }) => change), keptUntil, totals };
  const ttl = keptUntil + marginSeconds;
  const item = { ...logBlockKey(feed, first), ...block, totals: storedTotals(totals), ttl };
  const entry = putEntry(item, { absent: ['pk'] });
  const isReserved = lastNumber(block) <= upTo;
  const isAdded = isReserved
    ? (await putItem(entry)) === undefined
    : (await transact([reserveNumbers(feed, end, lastNumber(block)), entry])).kind === 'committed';
  return isAdded ? block : undefined;
}

/** The numbers of a block that cannot be read are not known, but all that were given out are reserved. */
function nextNumber(feed: FeedName, { block: last, upTo, startsAfter, unreadable }: LogEnd): number {
  const isKnown =
    last !== undefined && isReadable(last) && ![...unreadable].some((sk) => sk <= logBlockKey(feed, upTo).sk);
  let next = Math.max(isKnown ? lastNumber(last) : upTo, startsAfter) + 1;
  while (unreadable.has(logBlockKey(feed, next).sk)) next += 1;
  return next;
}

function reserveNumbers(feed: FeedName, end: LogEnd, last: number): TransactEntry {
  return updateEntry({ key: logEndKey(feed), set: { upTo: reserve(last) }, ...asStored(end) });
}

function reserve(last: number): number {
  return Math.ceil(last / reservedNumbers) * reservedNumbers;
}

function asStored({ stored }: Pick<LogEnd, 'stored'>) {
  return stored === undefined ? { absent: ['upTo'] } : { equals: { upTo: stored } };
}

/**
 * Restarts a log after a number: positions before it expire, because the next block does not follow theirs. For when this
 * table may lack numbers that were given out elsewhere. False if the end of the log has changed since the read.
 */
export async function restartLog(feed: FeedName, end: Pick<LogEnd, 'stored'>, startsAfter: number): Promise<boolean> {
  const set = { upTo: startsAfter, startsAfter, restartedAt: now().getTime() };
  return (await transact([updateEntry({ key: logEndKey(feed), set, ...asStored(end) })])).kind === 'committed';
}

/** The blocks of a log from the one that begins with this number, also those before it restarted; strongly consistent. */
export async function readLogFrom(feed: FeedName, first: number) {
  const items = await readAllOf(logRange(feed, first));
  return { blocks: blocksOf(feed, items), end: logOf(feed, items.toReversed()) };
}

/** Makes a transaction depend on the end of a log: nothing has been numbered since. */
export function requireLogEndEntry(feed: FeedName, end: LogEnd): TransactEntry {
  return conditionCheckEntry(logBlockKey(feed, nextNumber(feed, end)), { absent: ['pk'] });
}

/** How long a feed can be followed without a new snapshot. */
export function feedDays(): number {
  return Math.min(maxFeedDays, config().changeRetentionDays);
}
