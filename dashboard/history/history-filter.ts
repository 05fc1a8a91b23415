import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import * as v from 'valibot';
import { changeActions } from '#shared/contract/change-actions.ts';
import { appIdSchema, changeIdSchema, isUserId } from '#shared/contract/fields.ts';
import { dayAfter, startOfDay } from '#shared/contract/typed-time.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { pageParameter } from '../lists/use-filter.ts';

/** The time that a history shows: a day, a month or a period, a custom range, all history, or that of one change. */
export const timeRanges = ['today', 'yesterday', '24h', '7d', 'month', '30d', 'all', 'custom', 'change'] as const;
export type TimeRange = (typeof timeRanges)[number];

const defaultRange: TimeRange = '7d';
const hours: Readonly<Partial<Record<TimeRange, number>>> = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 };

/** The filters of the history, kept in the URL so that they can be bookmarked and survive Back. */
export interface HistoryFilter {
  readonly range: TimeRange;
  /** Days as `YYYY-MM-DD` in the operator's time zone, the last one included; for the range `custom`. */
  readonly from: string;
  readonly to: string;
  readonly actions: readonly string[];
  readonly by: string;
  readonly app: string;
  readonly user: string;
  /** The id of a change, for the range `change`; its user is the filter `user`. */
  readonly one: string;
}

type Values = Readonly<Partial<Record<'range' | 'from' | 'to' | 'action' | 'by' | 'app' | 'user' | 'change', string>>>;

export interface HistoryFilterState {
  readonly filter: HistoryFilter;
  /** An empty text clears a filter. */
  readonly change: (values: Values) => void;
  /** Shows all history; undefined while nothing is filtered. */
  readonly clear: (() => void) | undefined;
  /** The query for the service; a period counts back from when it was chosen. */
  readonly query: HistoryQuery;
}

export type HistoryQuery = Readonly<
  Partial<Record<'since' | 'until' | 'action' | 'actor' | 'appId' | 'userId', string | undefined>>
>;

/** The filter of the history, kept in the URL. */
export function useHistoryFilter(): HistoryFilterState {
  const [parameters, setParameters] = useSearchParams();
  const text = (name: string) => parameters.get(name)?.trim() ?? '';
  const wanted = timeRanges.find((known) => known === text('range')) ?? defaultRange;
  const one = wanted === 'change' && v.is(changeIdSchema, text('change')) ? text('change') : '';
  const range = wanted === 'change' && one === '' ? defaultRange : wanted;
  const [from, to] = [text('from'), text('to')];
  const actions = text('action')
    .split(',')
    .filter((name) => (changeActions as readonly string[]).includes(name));
  const user = isUserId(text('user')) ? text('user') : '';
  const app = v.is(appIdSchema, text('app')) ? text('app') : '';
  const filter = { range, from, to, actions, by: text('by'), app, user, one };
  const change = (values: Values) => setParameters(withValues(values), { replace: true });
  const times = useMemo(() => timesOf({ range, from, to, one }, Date.now()), [range, from, to, one]);
  const query = {
    ...times,
    action: actions.join(','),
    actor: filter.by,
    appId: app,
    userId: user,
  };
  const isFiltered = range !== 'all' || [filter.by, app, user, ...actions].some((value) => value !== '');
  const clear = () => change({ range: 'all', from: '', to: '', action: '', by: '', app: '', user: '', change: '' });
  return { filter, change, clear: isFiltered ? clear : undefined, query };
}

/** Reads the current URL: another field may have changed it since this one was rendered. */
function withValues(values: Values): URLSearchParams {
  const next = new URLSearchParams(location.search);
  next.delete(pageParameter);
  for (const [name, value] of Object.entries(values)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}

/**
 * The times of a range, at `now` in milliseconds since the epoch. Days are those of the operator's time zone; a custom range ends
 * after its last day, and a missing or invalid day sets no limit.
 */
export function timesOf({ range, from, to, one }: Times, now: number): HistoryQuery {
  if (range === 'change') return { since: atTime(timeOfUlid(one)), until: atTime(timeOfUlid(one) + 1) };
  if (range === 'custom') return { since: beginningOf(from, 0), until: beginningOf(to, 1) };
  if (range === 'today') return { since: dayFrom(now, 0), until: undefined };
  if (range === 'yesterday') return { since: dayFrom(now, -1), until: dayFrom(now, 0) };
  if (range === 'month') return { since: dayFrom(now, 1 - new Date(now).getDate()), until: undefined };
  const back = hours[range];
  return { since: back === undefined ? undefined : atTime(now - back * 3_600_000), until: undefined };
}

type Times = Pick<HistoryFilter, 'range' | 'from' | 'to' | 'one'>;

function atTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The start of the day that many days after the current one. */
function dayFrom(now: number, later: number): string {
  return startOfDay(dayAfter(now, later)).toISOString();
}

/** The start of the day `later` days after a day, in the operator's time zone. */
function beginningOf(day: string, later: number): string | undefined {
  const at = startOfDay(day, later);
  return day === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
