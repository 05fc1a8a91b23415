import { expect, test } from '@jest/globals';
import { createUlid } from '#shared/core/ids.ts';
import { timesOf } from '../../dashboard/history/history-filter.ts';

// The clocks of Berlin went back on 25 October 2026.
process.env.TZ = 'Europe/Berlin';
const now = Date.parse('2026-10-26T08:00:00.000Z');
const none = { from: '', to: '', one: '' };

test.each([
  ['today', { since: '2026-10-25T23:00:00.000Z', until: undefined }],
  ['yesterday', { since: '2026-10-24T22:00:00.000Z', until: '2026-10-25T23:00:00.000Z' }],
  ['24h', { since: '2026-10-25T08:00:00.000Z', until: undefined }],
  ['month', { since: '2026-09-30T22:00:00.000Z', until: undefined }],
  ['all', { since: undefined, until: undefined }],
] as const)("the range %s has the days of the operator's time zone", (range, expected) => {
  expect(timesOf({ range, ...none }, now)).toEqual(expected);
});

test('a custom range ends after its last day; a day that is missing sets no limit', () => {
  const days = { ...none, from: '2026-10-25', to: '2026-10-25' };
  const expected = { since: '2026-10-24T22:00:00.000Z', until: '2026-10-25T23:00:00.000Z' };
  expect(timesOf({ range: 'custom', ...days }, now)).toEqual(expected);
  expect(timesOf({ range: 'custom', ...days, to: '' }, now)).toEqual({ ...expected, until: undefined });
});

test('the range of one change is the millisecond of its id', () => {
  const one = createUlid(new Date('2026-10-25T10:11:12.345Z'));
  expect(timesOf({ range: 'change', ...none, one }, now)).toEqual({
    since: '2026-10-25T10:11:12.345Z',
    until: '2026-10-25T10:11:12.346Z',
  });
});
