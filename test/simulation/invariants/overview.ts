import type { Item } from '../../../local/memory/memory-table.ts';
import type { Run } from '../run-seed.ts';
import {
  accessOf,
  type FeedCounters,
  feedCountersOf,
  isAccess,
  isDeleting,
  isLive,
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
    ...wrongUsers(totals, items),
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

function wrongUsers(counted: readonly Counted[], items: readonly Item[]): string[] {
  const users = items.map(userOf).filter((user) => user !== undefined && isLive(user));
  const sum = (name: 'users' | 'inactive') => counted.reduce((total, { totals }) => total + totals[name], 0);
  const inactive = users.filter((user) => user?.status === 'inactive');
  return [
    ...(sum('users') === users.length ? [] : [`${users.length} users are counted as ${sum('users')}`]),
    ...(sum('inactive') === inactive.length
      ? []
      : [`${inactive.length} inactive users are counted as ${sum('inactive')}`]),
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
