import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Change } from '#shared/contract/change.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import { countsOf } from '#shared/table/items/change-counts.ts';
import { addToTotals, dayOf, noTotals, storedTotals, totalsSchema } from '#shared/table/items/feed-totals.ts';

const at = '2026-11-20T19:00:00.000Z';
const earlier = '2026-11-20T18:00:00.000Z';
const later = '2026-11-21T19:00:00.000Z';
const blocked = (until: string | null = null) => ({ status: 'disabled', explicit: true, until });
const allowed = { status: 'enabled', explicit: true, until: null };
const unset = { status: 'enabled', explicit: false, until: null };
const user = (status: string) => ({ status });

describe('what a change counts', () => {
  const ofAccess = (before: Change['before'], after: Change['after']) =>
    countsOf({ action: 'access.changed', at, before, after });
  test.each([
    ['a block', unset, blocked(), { blocked: 1, flip: 'block' }],
    ['a block in place of an explicit status', allowed, blocked(), { blocked: 1, flip: 'block' }],
    ['an end of a block', blocked(), unset, { blocked: -1, flip: 'unblock' }],
    ['a block with an end, which is not among those without', unset, blocked(later), { flip: 'block' }],
    ['a block that gets an end', blocked(), blocked(later), { blocked: -1 }],
    ['a block that loses its end', blocked(later), blocked(), { blocked: 1 }],
    ['a block after one that has ended', blocked(earlier), blocked(), { blocked: 1, flip: 'block' }],
    ['an ended block that is removed', blocked(earlier), unset, undefined],
    ['another reason of a block', blocked(), { ...blocked(), reason: 'new' }, undefined],
    ['an explicit status without a block', unset, allowed, undefined],
  ])('%s', (_, before, after, expected) => {
    expect(ofAccess(before, after)).toEqual(expected);
  });

  test.each([
    ['user.created', null, user('active'), { users: 1 }],
    ['user.created', null, user('inactive'), { users: 1, inactive: 1 }],
    ['user.deleted', user('active'), null, { users: -1 }],
    ['user.deleted', user('inactive'), null, { users: -1, inactive: -1 }],
    ['user.status.changed', user('active'), user('inactive'), { inactive: 1 }],
    ['user.status.changed', user('inactive'), user('active'), { inactive: -1 }],
    ['user.updated', { displayName: 'A' }, { displayName: 'B' }, undefined],
    ['role.assigned', null, { granted: true }, undefined],
    ['application.created', null, { status: 'active' }, undefined],
  ] as const)('%s from %j to %j', (action, before, after, expected) => {
    expect(countsOf({ action, at, before, after })).toEqual(expected);
  });
});

const changeOn = (day: number, counts = {}) => ({ id: lowestUlid(new Date(day * 86_400_000 + 1)), counts });

test('totals add what changes count, by the day (UTC) of each change', () => {
  const first = addToTotals(noTotals, [
    changeOn(20_000, { blocked: 1, flip: 'block' }),
    changeOn(20_000),
    changeOn(20_002),
  ]);
  const totals = addToTotals(first, [
    changeOn(20_002, { blocked: -1, flip: 'unblock' }),
    changeOn(20_002, { users: 2, inactive: 1 }),
  ]);
  expect(totals).toEqual({
    users: 2,
    inactive: 1,
    blocked: 0,
    days: new Map([
      [20_000, { changes: 2, blocks: 1, unblocks: 0 }],
      [20_002, { changes: 3, blocks: 0, unblocks: 1 }],
    ]),
  });
  expect(storedTotals(totals)).toEqual({ users: 2, inactive: 1, days: '20000;2.1.0;;3.0.1' });
  expect(v.parse(totalsSchema, storedTotals(totals))).toEqual(totals);
  expect(v.parse(totalsSchema, storedTotals(noTotals))).toEqual(noTotals);
});

test('days are counted for 35 days, and take less than 700 bytes', () => {
  const days = new Map(
    Array.from({ length: 60 }, (_, n) => [20_000 + n, { changes: 99_999, blocks: 9999, unblocks: 9999 }]),
  );
  const totals = addToTotals({ users: 200_000, inactive: 20_000, blocked: 20_000, days }, [changeOn(20_059)]);
  expect([...totals.days.keys()]).toEqual(Array.from({ length: 35 }, (_, n) => 20_025 + n));
  expect(JSON.stringify(storedTotals(totals)).length).toBeLessThan(700);
});

test('a day is one of UTC', () => {
  expect([dayOf(86_399_999), dayOf(86_400_000)]).toEqual([0, 1]);
});
