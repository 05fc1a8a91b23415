import * as v from 'valibot';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { secondsPerDay } from '../ttl.ts';
import type { ChangeCounts } from './change-counts.ts';

/*
 * What a feed has counted. Each block of its log has the totals after it, so nothing is read to continue them (decision 0046).
 */

/** How many changes of a day (UTC) a feed has, and how many of them block or unblock a user. */
export interface DayCounts {
  readonly changes: number;
  readonly blocks: number;
  readonly unblocks: number;
}

/** How much there is of what the table also has. */
export interface StateCounts {
  readonly users: number;
  readonly inactive: number;
  /** Blocks without an end. */
  readonly blocked: number;
}

/** What a feed has counted up to one of its numbers. */
export interface FeedTotals extends StateCounts {
  /** By day since the epoch: the last 35 with changes, at most. */
  readonly days: ReadonlyMap<number, DayCounts>;
}

export const noTotals: FeedTotals = { users: 0, inactive: 0, blocked: 0, days: new Map() };

/** Days before these are no longer counted. */
export const countedDays = 35;

const storedTotalsSchema = v.object({
  users: v.optional(v.number(), 0),
  inactive: v.optional(v.number(), 0),
  blocked: v.optional(v.number(), 0),
  days: v.string(),
});

/** The totals in an item: days are one short text, so that a block of few changes stays within 1 KB. */
export const totalsSchema = v.pipe(
  storedTotalsSchema,
  v.transform(({ days, ...totals }): FeedTotals => ({ ...totals, days: parseDays(days) })),
);

export function storedTotals({ days, ...totals }: FeedTotals) {
  const counted = Object.entries(totals).filter(([, count]) => count !== 0);
  return { ...Object.fromEntries(counted), days: formatDays(days) };
}

/** The totals after further changes. */
export function addToTotals(
  totals: FeedTotals,
  changes: readonly { readonly id: string; readonly counts?: ChangeCounts }[],
): FeedTotals {
  const days = new Map(totals.days);
  let { users, inactive, blocked } = totals;
  for (const { id, counts = {} } of changes) {
    users += counts.users ?? 0;
    inactive += counts.inactive ?? 0;
    blocked += counts.blocked ?? 0;
    const day = dayOf(timeOfUlid(id));
    const found = days.get(day) ?? { changes: 0, blocks: 0, unblocks: 0 };
    days.set(day, {
      changes: found.changes + 1,
      blocks: found.blocks + Number(counts.flip === 'block'),
      unblocks: found.unblocks + Number(counts.flip === 'unblock'),
    });
  }
  const last = Math.max(...days.keys());
  return { users, inactive, blocked, days: new Map([...days].filter(([day]) => day > last - countedDays)) };
}

/** The day of a time in milliseconds, since the epoch. */
export function dayOf(milliseconds: number): number {
  return Math.floor(milliseconds / (secondsPerDay * 1000));
}

/** The first day, then the counts of each day: `20783;12.3.1;;5`. */
function formatDays(days: FeedTotals['days']): string {
  const first = Math.min(...days.keys());
  const last = Math.max(...days.keys());
  const counts = Array.from({ length: days.size === 0 ? 0 : last - first + 1 }, (_, at) =>
    formatDay(days.get(first + at)),
  );
  return days.size === 0 ? '' : [first, ...counts].join(';');
}

function formatDay(counts: DayCounts | undefined): string {
  if (counts === undefined) return '';
  const { changes, blocks, unblocks } = counts;
  return blocks + unblocks === 0 ? `${changes}` : `${changes}.${blocks}.${unblocks}`;
}

function parseDays(text: string): FeedTotals['days'] {
  const [first, ...counts] = text.split(';');
  const days = counts.map((day, at): [number, DayCounts] => {
    const [changes = 0, blocks = 0, unblocks = 0] = day.split('.').map(Number);
    return [Number(first) + at, { changes, blocks, unblocks }];
  });
  return new Map(days.filter(([, { changes }]) => changes > 0));
}
