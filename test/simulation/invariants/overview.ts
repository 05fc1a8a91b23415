import type { Item } from '../../../local/memory/memory-table.ts';
import type { Run } from '../run-seed.ts';
import {
  accessOf,
  type FeedCounters,
  feedCountersOf,
  isAccess,
  isApplication,
  isDeleting,
  isInactiveMark,
  isLive,
  isUserEntry,
  logBlockOf,
  userOf,
} from '../stored-state.ts';

/**
 * Checks that, when everything has its number, the counters of the feeds are the state: the totals of the last block of each
 * log with the corrections beside it. What was copied to the overview are the totals of a block, never of an earlier one than
 * before, and nothing is left of an application whose deletion is complete.
 */
export function checkOverview({ items, commits, swarm }: Run): string[] {
  if (swarm === undefined) return [];
  const blocks = items.map(logBlockOf).filter((found) => found !== undefined);
  const copies = items.map(feedCountersOf).filter((found) => found !== undefined);
  const last = new Map(blocks.map((block) => [block.feed, block]));
  const back = commits.flatMap(({ mutations }) =>
    mutations.flatMap(({ before, after }) => {
      const [was, is] = [before, after].map((item) => item && feedCountersOf(item));
      return was && is && is.upTo < was.upTo
        ? [`the counters of ${is.feed} went back from ${was.upTo} to ${is.upTo}`]
        : [];
    }),
  );
  const totals = [...last].map(([feed, { totals }]) => ({
    feed,
    totals,
    corrections: copies.find((copy) => copy.feed === feed)?.corrections,
  }));
  return [
    ...back,
    ...copies.flatMap((copy) => wrongCopy(copy, blocks)),
    ...wrongUsers(totals, usersOf(items)),
    ...totals.flatMap((found) => wrongBlocks(found, items)),
    ...totals.flatMap(({ feed, totals: { changes } }) => {
      const numbered = blocks.flatMap((block) => (block.feed === feed ? block.ids : [])).length;
      return changes === numbered ? [] : [`${feed} has counted ${changes} changes, and numbered ${numbered}`];
    }),
    ...copies.flatMap(({ feed }) =>
      items.some((item) => item.pk === `APP#${feed}` && item.sk === 'APP' && item.swept === true)
        ? [`the counters of ${feed} are left`]
        : [],
    ),
  ];
}

/** Checks that what the overview shows is the state; for a table that was repaired, whose logs may lack blocks. */
export function checkShownCounters({ items }: Run): string[] {
  const copies = items.map(feedCountersOf).filter((found) => found !== undefined);
  const shown = items.filter(isApplication).map(({ appId }) => {
    const copy = copies.find(({ feed }) => feed === appId);
    return { feed: String(appId), totals: copy?.totals ?? noTotals, corrections: copy?.corrections };
  });
  // A user whom no list and no change names is not found.
  const listed = { users: items.filter(isUserEntry).length, inactive: items.filter(isInactiveMark).length };
  const foreign = copies.filter(({ feed }) => !feed.startsWith('USERS') && shown.every((found) => found.feed !== feed));
  return [
    ...wrongUsers(copies, listed),
    ...shown.flatMap((counted) => wrongBlocks(counted, items)),
    ...foreign.map(({ feed }) => `there are counters of ${feed}, which is not there`),
  ];
}
const noTotals = { users: 0, inactive: 0, blocked: 0, changes: 0 };

interface Counted {
  readonly feed: string;
  readonly totals: FeedCounters['totals'];
  readonly corrections: FeedCounters['corrections'] | undefined;
}

function wrongCopy({ feed, upTo, totals }: FeedCounters, blocks: readonly ReturnType<typeof logBlockOf>[]): string[] {
  if (upTo === 0) return [];
  const block = blocks.find((found) => found?.feed === feed && found.first + found.ids.length - 1 === upTo);
  const isSame = JSON.stringify(block?.totals) === JSON.stringify(totals);
  return isSame ? [] : [`the counters of ${feed} up to ${upTo} are not those of its log`];
}

interface Users {
  readonly users: number;
  readonly inactive: number;
}

function usersOf(items: readonly Item[]): Users {
  const users = items.map(userOf).filter((user) => user !== undefined && isLive(user));
  return { users: users.length, inactive: users.filter((user) => user?.status === 'inactive').length };
}

function wrongUsers(counted: readonly Counted[], { users, inactive }: Users): string[] {
  const sum = (name: keyof Users) =>
    counted.reduce((total, { totals, corrections }) => total + totals[name] + (corrections?.[name] ?? 0), 0);
  return [
    ...(sum('users') === users ? [] : [`${users} users are counted as ${sum('users')}`]),
    ...(sum('inactive') === inactive ? [] : [`${inactive} inactive users are counted as ${sum('inactive')}`]),
  ];
}

function wrongBlocks({ feed, totals, corrections }: Counted, items: readonly Item[]): string[] {
  const application = items.find(({ pk, sk }) => pk === `APP#${feed}` && sk === 'APP');
  if (application === undefined || isDeleting(application)) return [];
  const blocked = items.filter((item) => {
    if (!isAccess(item)) return false;
    const { appId, status, until } = accessOf(item);
    return appId === feed && status === 'disabled' && until === null;
  });
  const count = totals.blocked + (corrections?.blocked ?? 0);
  return count === blocked.length ? [] : [`${blocked.length} blocks of ${feed} are counted as ${count}`];
}
