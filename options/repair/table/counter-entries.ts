import type { AppId } from '#shared/contract/fields.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import { conditionCheckEntry, updateEntry } from '#shared/table/expression.ts';
import {
  type CountedTotals,
  deleteCountersEntry,
  type FeedCounters,
  liveApplicationEntry,
  totalsAttributes,
} from '#shared/table/items/counters-item.ts';
import type { StateCounts } from '#shared/table/items/feed-totals.ts';
import { applicationKey } from '#shared/table/keys/application-item-keys.ts';
import { countersKey } from '#shared/table/keys/counters-item-keys.ts';
import { type FeedName, isUserFeed } from '#shared/table/keys/feed-item-keys.ts';

/** What a repair writes: the totals at the end of a log, if the copy is another, and what they lack. */
export interface CounterRepair {
  readonly counted: CountedTotals | undefined;
  readonly missing: StateCounts;
}

/**
 * Adds what is missing, if no repair has done so since the counters were read. What is missing stays the same while changes
 * are numbered and users erased, so neither prevents it; but totals are only set if they have not been copied meanwhile.
 */
export function repairCountersEntries(
  feed: FeedName,
  stored: FeedCounters | undefined,
  { counted, missing: { users, inactive, blocked } }: CounterRepair,
): TransactEntry[] {
  const missing = { correctedUsers: users, correctedInactive: inactive, correctedBlocked: blocked };
  const add = { repairs: 1, ...Object.fromEntries(Object.entries(missing).filter(([, count]) => count !== 0)) };
  const known = { repairs: stored?.repairs ?? 0, ...(counted && { upTo: stored?.upTo ?? 0 }) };
  const unset = Object.entries(known).flatMap(([name, value]) => (value === 0 ? [name] : []));
  const equals = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== 0));
  const condition = stored === undefined ? { absent: ['pk'] } : { equals: { sk: feed, ...equals }, absent: unset };
  const set = counted ? totalsAttributes(counted) : {};
  const update = updateEntry({ key: countersKey(feed), set, add, ...condition });
  return isUserFeed(feed) ? [update] : [liveApplicationEntry(feed), update];
}

/** Deletes the counters of an application that is not there, or whose deletion is complete. */
export function deleteForeignCountersEntries(appId: AppId, isKnown: boolean): TransactEntry[] {
  const condition = isKnown ? { equals: { swept: true } } : { absent: ['pk'] };
  return [conditionCheckEntry(applicationKey(appId), condition), deleteCountersEntry(appId)];
}
