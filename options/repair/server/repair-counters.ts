import type { AppId } from '#shared/contract/fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { now, pause } from '#shared/core/clock.ts';
import { numberFeed } from '#shared/domain/history/feed-numbers.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import { type Item, queryItems, readItems, transact } from '#shared/table/client.ts';
import { grantedRolesOf, isBlockedOpenly, ownerOf } from '#shared/table/items/access-item.ts';
import { readApplicationItem } from '#shared/table/items/application-item.ts';
import { requireLogEndEntry } from '#shared/table/items/feed-item.ts';
import type { StateCounts } from '#shared/table/items/feed-totals.ts';
import type { Range } from '#shared/table/key.ts';
import { accessEntriesRange, accessKey } from '#shared/table/keys/access-item-keys.ts';
import { type FeedName, isUserFeed, unfollowedFeed, usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import { inactiveUsersRange, usersRange } from '#shared/table/keys/user-item-keys.ts';
import { deleteForeignCountersEntries, repairCountersEntries } from '../table/counter-entries.ts';
import type { RepairCount } from '../table/repair-cursor.ts';
import { addCounts, countsOfFeeds, type FeedState, isCopied, noCounts, readFeedState } from './feed-state.ts';
import type { RepairRun } from './repair-run.ts';

/** Whose counters are compared with the state: those of an application or, together, those of all users. */
export type Counted = AppId | typeof usersFeed;

/** The items that are counted at once. */
const countedItems = 1000;
/** A feed that changes during each of them is named as busy. */
const maxAttempts = 3;
const pauseMilliseconds = 200;
/** A change that is pending for longer was missed by the reader of the stream: a restored table has none of its records. */
const missedMilliseconds = 60_000;

/**
 * Counts a page of the state and, after the last one, repairs the counters. What a feed lacks does not depend on the moment: every
 * change is counted with the transaction that commits it, so it is right if no change was committed while the state was
 * counted. Otherwise all is counted again. Returns where to go on, undefined when it is done.
 */
export async function repairCounters(of: Counted, before: RepairCount | undefined, run: RepairRun) {
  const count = before ?? (await beginCount(of, 1, run));
  if (count === undefined) return { checked: 0, count };
  const lists = listsOf(of);
  const list = lists[count.list] ?? (lists[0] as CountedList);
  const { items, next } = await queryItems(list.range, { limit: countedItems, after: count.after ?? undefined });
  const counts = addCounts(count.counts, { ...noCounts, ...(await list.countsOf(items)) });
  const checked = items.length;
  const counted = { ...count, counts };
  if (next === undefined && count.list + 1 === lists.length) {
    return { checked, count: await finishCount(of, counted, run) };
  }
  const states = await readAgain(of, count);
  if (!isUnchanged(states, count)) return { checked, count: await countAgain(of, count, run) };
  const place = next === undefined ? { list: count.list + 1, after: null } : { after: next as Record<string, string> };
  return { checked, count: { ...counted, ...place } };
}

async function beginCount(of: Counted, attempt: number, run: RepairRun): Promise<RepairCount | undefined> {
  if (!isUserFeed(of) && (await isGone(of))) return undefined;
  let states = await Promise.all(feedsOf(of).map((feed) => readFeedState(feed)));
  const missed = states.filter(({ unnumbered }) => unnumbered.some(isMissed));
  if (missed.length > 0 && !run.isDry) {
    await mapConcurrently(missed, ({ feed }) => numberFeed(feed));
    states = await Promise.all(feedsOf(of).map((feed) => readFeedState(feed)));
  }
  const began = states.map(({ from, seen }) => ({ from, seen }));
  return { attempt, list: 0, after: null, counts: noCounts, began };
}

async function isGone(appId: AppId): Promise<boolean> {
  const found = await readApplicationItem(appId);
  return found === undefined || found.deleted;
}

function isMissed({ id }: { readonly id: string }): boolean {
  return timeOfUlid(id) < now().getTime() - missedMilliseconds;
}

function readAgain(of: Counted, { began }: RepairCount): Promise<FeedState[]> {
  return Promise.all(feedsOf(of).map((feed, at) => readFeedState(feed, began[at]?.from)));
}

function isUnchanged(states: readonly FeedState[], { began }: RepairCount): boolean {
  return states.every(({ seen }, at) => seen === began[at]?.seen);
}

async function finishCount(of: Counted, count: RepairCount, run: RepairRun): Promise<RepairCount | undefined> {
  const states = await readAgain(of, count);
  // A copy that is late is usually just being made.
  const isSettled = count.attempt === maxAttempts || states.every(isCopied);
  const isRight =
    isUnchanged(states, count) &&
    isSettled &&
    (await writeCounters(of, states, addCounts(count.counts, countsOfFeeds(states), -1), run));
  return isRight ? undefined : countAgain(of, count, run);
}

async function countAgain(of: Counted, { attempt }: RepairCount, run: RepairRun): Promise<RepairCount | undefined> {
  if (attempt === maxAttempts) {
    run.note('counters-busy', subjectOf(of));
    return undefined;
  }
  await pause(pauseMilliseconds * attempt);
  return beginCount(of, attempt + 1, run);
}

/**
 * Repairs the counters if they are wrong. `missing` is what all of them together lack: what a sum lacks is added to one summand,
 * that of the first feed. False if somebody else wrote them meanwhile, so that they must be counted again. A dry run only names
 * them, and never counts again.
 */
async function writeCounters(
  of: Counted,
  states: readonly FeedState[],
  missing: StateCounts,
  run: RepairRun,
): Promise<boolean> {
  const [first] = states;
  const lacksCounts = Object.values(missing).some((count) => count !== 0);
  const wrong = states.filter((state) => !isCopied(state) || (lacksCounts && state === first));
  if (wrong.length === 0) return true;
  const entries = wrong.flatMap((state) => {
    const { feed, end, stored, counted } = state;
    const copy = isCopied(state) ? undefined : { ...counted, countedAt: now().getTime() };
    const repairing = { counted: copy, missing: state === first ? missing : noCounts };
    const guard = copy === undefined ? [] : [requireLogEndEntry(feed, end)];
    return [...repairCountersEntries(feed, stored, repairing), ...guard];
  });
  const write = async () => (await transact(entries)).kind === 'committed';
  return (await run.repairBy('counters', subjectOf(of), write)) || run.isDry;
}

function feedsOf(of: Counted): readonly FeedName[] {
  return of === usersFeed ? [usersFeed, unfollowedFeed] : [of];
}

function subjectOf(of: Counted) {
  return of === usersFeed ? {} : { appId: of };
}

interface CountedList {
  readonly range: Range;
  readonly countsOf: (items: readonly Item[]) => Promise<Partial<StateCounts>> | Partial<StateCounts>;
}

/** The lists that are the state: each is changed in the transaction of the change that is counted. */
function listsOf(of: Counted): readonly CountedList[] {
  if (of !== usersFeed) return [{ range: accessEntriesRange(of), countsOf: (items) => countBlocks(of, items) }];
  return [
    { range: usersRange(''), countsOf: ({ length }) => ({ users: length }) },
    { range: inactiveUsersRange(''), countsOf: ({ length }) => ({ inactive: length }) },
  ];
}

async function countBlocks(appId: AppId, entries: readonly Item[]) {
  const accesses = await readItems(entries.map((entry) => accessKey(ownerOf(entry), appId)));
  return { blocked: accesses.filter((item) => item !== undefined && isBlockedOpenly(grantedRolesOf(item))).length };
}

/** Removes counters of applications that are not there: a deletion that is complete leaves none. */
export async function removeForeignCounters(feeds: readonly FeedName[], run: RepairRun): Promise<void> {
  await mapConcurrently(feeds, async (feed) => {
    if (isUserFeed(feed)) return;
    const found = await readApplicationItem(feed);
    if (found !== undefined && !found.swept) return;
    await run.repair('counters', { appId: feed }, deleteForeignCountersEntries(feed, found !== undefined));
  });
}
