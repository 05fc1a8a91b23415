import type { AppId } from '#shared/contract/fields.ts';
import { fullRollout } from '#shared/contract/rollout.ts';
import { now } from '#shared/core/clock.ts';
import { countKeys, countStates, keyAttention } from '#shared/domain/api-key/list-all-keys.ts';
import type { ShownState } from '#shared/domain/application/overview-count.ts';
import { type Application, applicationOf } from '#shared/table/items/application-item.ts';
import { type FeedCounters, readCounters } from '#shared/table/items/counters-item.ts';
import { dayOf } from '#shared/table/items/feed-totals.ts';
import { applicationsRange } from '#shared/table/keys/application-item-keys.ts';
import { isUserFeed } from '#shared/table/keys/feed-item-keys.ts';
import { readAllOf } from '#shared/table/read-items-of.ts';
import { secondsPerDay } from '#shared/table/ttl.ts';
import {
  endingBlockDays,
  maxOverviewApplications,
  type NamedApplications,
  type OverviewView,
  overviewDays,
} from '../contract/overview.ts';
import { type BlockEnd, readBlockEnds } from '../table/block-end.ts';

import { registeredCounts } from './registered-counts.ts';

const dayMilliseconds = secondsPerDay * 1000;

/** The numbers of the first page, for all applications or for those that an operator is limited to. */
export async function getOverview(
  limitedTo: readonly AppId[] | undefined,
  named: NamedApplications = 'most-blocked',
): Promise<OverviewView> {
  const at = now();
  const isShown = (appId: string) => limitedTo === undefined || limitedTo.includes(appId as AppId);
  const applications = readApplications(isShown);
  const [feeds, shown, keys, ends, more] = await Promise.all([
    readCounters(),
    applications,
    applications.then((found) => countKeys(found, keyAttention)),
    readBlockEnds(at),
    countOfOptions({ at, applications, isLimited: limitedTo !== undefined }),
  ]);
  const timed = ends.blocks.filter(({ appId }) => isShown(appId));
  const week = new Date(at.getTime() + endingBlockDays * dayMilliseconds).toISOString();
  const endingSoon = timed.filter(({ until }) => until <= week);
  const counted = feeds.filter(({ feed }) => (isUserFeed(feed) ? limitedTo === undefined : isShown(feed)));
  const latest = Math.max(0, ...feeds.map(({ countedAt }) => countedAt));
  return {
    users: usersOf(feeds),
    applications: nameApplications(blockedOf(counted, timed), { shown, named, at }),
    rollouts: rolloutsOf(shown),
    blocksEndingThisWeek: { count: endingSoon.length, more: ends.more && endingSoon.length === timed.length },
    keys,
    ...more,
    days: daysOf(counted, at),
    asOf: latest === 0 ? null : new Date(latest).toISOString(),
    ...(limitedTo && { limitedTo: [...limitedTo] }),
  };
}

async function readApplications(isShown: (appId: string) => boolean): Promise<Application[]> {
  const items = await readAllOf(applicationsRange());
  return items.flatMap((item) => applicationOf(item) ?? []).filter(({ appId }) => isShown(appId));
}

async function countOfOptions(shown: ShownState): Promise<Readonly<Record<string, unknown>>> {
  const counted = await Promise.all(registeredCounts.map(async (one) => [one.member, await one.count(shown)] as const));
  return Object.fromEntries(counted);
}

function usersOf(feeds: readonly FeedCounters[]): OverviewView['users'] {
  const sum = (name: 'users' | 'inactive') =>
    feeds.reduce((total, { totals, corrected }) => total + totals[name] + corrected[name], 0);
  const inactive = notNegative(sum('inactive'));
  return { active: notNegative(sum('users') - inactive), inactive };
}

/** Counters of a table from before there were any are too low until they are repaired. */
function notNegative(count: number): number {
  return Math.max(0, count);
}

/**
 * How many users are blocked in each application. Blocks without an end are in the counters; blocks with one are in the
 * list `timed`, because they end without a change that could be counted.
 */
function blockedOf(feeds: readonly FeedCounters[], timed: readonly BlockEnd[]): ReadonlyMap<AppId, number> {
  const counts = new Map<AppId, number>();
  const add = (appId: AppId, count: number) => counts.set(appId, (counts.get(appId) ?? 0) + count);
  for (const { feed, totals, corrected } of feeds) {
    if (!isUserFeed(feed)) add(feed, notNegative(totals.blocked + corrected.blocked));
  }
  for (const { appId } of timed) add(appId, 1);
  return counts;
}

interface Naming {
  readonly shown: readonly Application[];
  readonly named: NamedApplications;
  readonly at: Date;
}

/** The applications with the most blocks, or all; the most first. */
function nameApplications(
  counts: ReadonlyMap<AppId, number>,
  { shown, named, at }: Naming,
): OverviewView['applications'] {
  const found = shown
    .map(({ appId, name, keys }) => ({ appId, name, blocked: counts.get(appId) ?? 0, keys: countStates(keys, at) }))
    .sort((one, other) => other.blocked - one.blocked);
  return named === 'all' ? found : found.filter(({ blocked }) => blocked > 0).slice(0, maxOverviewApplications);
}

/** The applications that are not open to all users, the lowest percentage first. */
function rolloutsOf(shown: readonly Application[]): OverviewView['rollouts'] {
  return shown
    .filter(({ rolloutPercent }) => rolloutPercent < fullRollout)
    .map(({ appId, name, rolloutPercent }) => ({ appId, name, rolloutPercent }))
    .sort((one, other) => one.rolloutPercent - other.rolloutPercent)
    .slice(0, maxOverviewApplications);
}

function daysOf(feeds: readonly FeedCounters[], at: Date): OverviewView['days'] {
  const today = dayOf(at.getTime());
  return Array.from({ length: overviewDays }, (_, n) => today - overviewDays + 1 + n).flatMap((day) => {
    const found = feeds.flatMap(({ totals }) => totals.days.get(day) ?? []);
    const sum = (name: 'changes' | 'blocks' | 'unblocks') => found.reduce((total, counts) => total + counts[name], 0);
    const date = new Date(day * dayMilliseconds).toISOString().slice(0, 10);
    return found.length === 0
      ? []
      : [{ date, changes: sum('changes'), blocks: sum('blocks'), unblocks: sum('unblocks') }];
  });
}
