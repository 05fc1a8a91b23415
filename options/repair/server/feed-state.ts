import { digest } from '#shared/core/ids.ts';
import { isCounting } from '#shared/table/items/change-counts.ts';
import { type FeedCounters, readFeedCounters, totalsAtEnd } from '#shared/table/items/counters-item.ts';
import {
  type LogEnd,
  type PendingFeedChange,
  readLogEnd,
  readLogFrom,
  readPendingUpTo,
} from '#shared/table/items/feed-item.ts';
import {
  addToTotals,
  type FeedTotals,
  noTotals,
  type StateCounts,
  storedTotals,
} from '#shared/table/items/feed-totals.ts';
import type { FeedName } from '#shared/table/keys/feed-item-keys.ts';

/** A feed at one moment: what it has counted, and by what two moments are compared. */
export interface FeedState {
  readonly feed: FeedName;
  readonly end: LogEnd;
  readonly stored: FeedCounters | undefined;
  /** What the log has counted, and up to which number. */
  readonly counted: { readonly upTo: number; readonly totals: FeedTotals };
  /** The changes without a number. */
  readonly unnumbered: readonly PendingFeedChange[];
  /** The first number of the last block; 0 if there is none. */
  readonly from: number;
  /**
   * A digest of what has changed the state since that block. The same at two moments: between them no change that is counted
   * was committed, nothing was corrected, and what a reader counted in between is the state of both.
   */
  readonly seen: string;
}

/**
 * Reads a feed, strongly consistent; for the later one of two moments with the `from` of the earlier one. Pending changes are
 * read before the log, so one that gets its number meanwhile is in at least one of them.
 */
export async function readFeedState(feed: FeedName, from?: number): Promise<FeedState> {
  const stored = await readFeedCounters(feed);
  const pending = await readPendingUpTo(feed);
  const { blocks, end } = from === undefined ? await readLastBlock(feed) : await readLogFrom(feed, from);
  const numbered = new Set(blocks.flatMap(({ changes }) => changes.map(({ id }) => id)));
  const unnumbered = pending.filter(({ id }) => !numbered.has(id));
  const first = from ?? end.block?.first ?? 0;
  const later = blocks.filter((block) => block.first > first).flatMap(({ changes }) => changes);
  const ids = [...later, ...unnumbered].filter(({ action }) => isCounting(action)).map(({ id }) => id);
  const { users = 0, inactive = 0, blocked = 0 } = stored?.corrected ?? {};
  const corrections = [users, inactive, blocked, stored?.repairs ?? 0];
  const seen = digest([...ids.sort(), ...corrections].join(' ')).slice(0, 16);
  return { feed, end, stored, counted: totalsAtEnd(end.block, stored), unnumbered, from: first, seen };
}

async function readLastBlock(feed: FeedName) {
  const end = await readLogEnd(feed);
  return { blocks: end.block === undefined ? [] : [end.block], end };
}

/** What the feeds say of the state: what they have counted, with what is pending, and their corrections. */
export function countsOfFeeds(states: readonly FeedState[]): StateCounts {
  const sums = states.map(({ counted, unnumbered, stored }) => {
    const { users, inactive, blocked } = addToTotals(counted.totals, unnumbered);
    const corrected = stored?.corrected ?? noCounts;
    return addCounts({ users, inactive, blocked }, corrected);
  });
  return sums.reduce((sum, counts) => addCounts(sum, counts), noCounts);
}

export const noCounts: StateCounts = { users: 0, inactive: 0, blocked: 0 };

export function addCounts(one: StateCounts, other: StateCounts, sign: 1 | -1 = 1): StateCounts {
  return {
    users: one.users + sign * other.users,
    inactive: one.inactive + sign * other.inactive,
    blocked: one.blocked + sign * other.blocked,
  };
}

/** Whether the counters are what the log has counted. A log from before the counters has counted nothing. */
export function isCopied({ counted: { upTo, totals }, stored }: FeedState): boolean {
  const copied = stored ?? { upTo: 0, totals: noTotals };
  const isSame = JSON.stringify(storedTotals(copied.totals)) === JSON.stringify(storedTotals(totals));
  return isSame && (copied.upTo === upTo || totals.days.size === 0);
}
