import type { AppId } from '#shared/contract/fields.ts';
import { clockSkewSeconds } from '#shared/contract/time-bounds.ts';
import { now } from '#shared/core/clock.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import { readFeedChanges } from '#shared/domain/history/read-feed.ts';
import { genuineChangesOf } from '#shared/domain/history/verify-changes.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import { deleteItem, type Item } from '#shared/table/client.ts';
import { deleteEntry } from '#shared/table/expression.ts';
import { isInFeed, putPendingEntry } from '#shared/table/items/change-item.ts';
import {
  feedDays,
  isCurrent,
  type LogBlock,
  lastNumber,
  readLogEnd,
  readLogFrom,
  readPendingUpTo,
  readUnreadableKeys,
  restartLog,
} from '#shared/table/items/feed-item.ts';
import type { Key } from '#shared/table/key.ts';
import { applicationChangesRange, userChangesForAllRange } from '#shared/table/keys/change-item-keys.ts';
import { type FeedName, isPendingKey, pendingKey, usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import { readAllOf } from '#shared/table/read-items-of.ts';
import { secondsPerDay } from '#shared/table/ttl.ts';
import type { RepairRun } from './repair-run.ts';

/**
 * Repairs a feed: each change that is kept is in the log or pending, and nothing else is pending. Pending ones are read
 * before the log, so a change that gets its number meanwhile is in one of them. A change that had no place gets a number after
 * later ones.
 */
export async function repairFeed(feed: FeedName, restartAt: string | undefined, run: RepairRun): Promise<void> {
  const restartedAt = await restart(feed, restartAt, run);
  const subject = subjectOf(feed);
  for (const key of await readUnreadableKeys(feed)) {
    await run.repair(isPendingKey(key) ? 'pending' : 'feed-unreadable', subject, [deleteEntry(key)]);
  }
  const listed = await readListed(feed, restartedAt);
  const pending = await readPendingUpTo(feed);
  const { blocks, end } = await readLogFrom(feed, 0);
  if (isAltered(blocks.filter((block) => isCurrent(block, end)))) run.note('feed-altered', subject);
  const logged = new Set(blocks.flatMap((block) => block.changes.map(({ id }) => id)));
  const isPending = new Set(pending.map(({ id }) => id));
  const missing = listed.filter(({ id }) => !isPending.has(String(id)) && !logged.has(String(id)));
  for (const change of await genuineChangesOf(missing)) {
    // One that is listed here by somebody else has its place elsewhere.
    if (!isInFeed(change, feed)) continue;
    await run.repair('feed', { ...subject, changeId: change.id }, [putPendingEntry(feed, change)]);
  }
  // One that was altered keeps its place: it is handed out without a signature, and its user is read again.
  const kept = new Set((await readFeedChanges(pending.map((change) => ({ ...change, feed })))).map(({ id }) => id));
  for (const change of pending) {
    if (kept.has(change.id) && !logged.has(change.id)) continue;
    await run.repair('pending', { ...subject, changeId: change.id }, [deleteEntry(pendingKey(feed, change))]);
  }
}

/** Whether a change has two numbers, or numbers are missing between blocks of which the earlier one had not expired. */
function isAltered(blocks: readonly LogBlock[]): boolean {
  const ids = blocks.flatMap(({ changes }) => changes.map(({ id }) => id));
  const isTorn = blocks.some((block, at) => {
    const before = blocks[at - 1];
    if (before === undefined || block.first === lastNumber(before) + 1) return false;
    return before.keptUntil > block.keptUntil - feedDays() * secondsPerDay;
  });
  return isTorn || new Set(ids).size < ids.length;
}

/**
 * Numbers that a lost Region gave out, and this table does not have, must never mean other changes here: all numbers from now
 * on are above any that a feed can have reached until then. Followers of the feed read a snapshot, which has the changes
 * that are pending now; a number would put them after later ones of the same user. Returns when the feed restarted, in
 * milliseconds since the epoch: changes from before need no place in it.
 */
async function restart(feed: FeedName, at: string | undefined, run: RepairRun): Promise<number> {
  const wanted = at === undefined ? 0 : Math.ceil(Date.parse(at) / 1000) * numbersPerSecond;
  for (;;) {
    const end = await readLogEnd(feed);
    if (end.startsAfter >= wanted) return end.restartedAt;
    const pending = await readPendingUpTo(feed);
    const first = Math.max(wanted, end.upTo + 1);
    const restartNow = () => restartLog(feed, end, first);
    const isRestarted = await run.repairBy('feed-restart', subjectOf(feed), restartNow);
    if (run.isDry) return now().getTime();
    if (isRestarted) await mapConcurrently(pending, (change) => deleteItem(pendingKey(feed, change)));
  }
}

function subjectOf(feed: FeedName) {
  return feed === usersFeed ? {} : { appId: feed };
}

/** More changes than a feed gets per second since 1970, and far below the 12 digits of a number in a key. */
const numbersPerSecond = 100;

/**
 * The changes of a feed whose numbers can still be read, without the oldest day: their block may be gone already. One that was
 * made before the feed restarted may have a later time, by another clock.
 */
async function readListed(feed: FeedName, restartedAt: number): Promise<(Item & Key)[]> {
  const readable = now().getTime() - (feedDays() - 1) * secondsPerDay * 1000;
  const since = Math.max(readable, restartedAt + clockSkewSeconds * 1000);
  const span = { descending: false, above: lowestUlid(new Date(since)) };
  const range = feed === usersFeed ? userChangesForAllRange(span) : applicationChangesRange(feed as AppId, span);
  return readAllOf(range);
}
