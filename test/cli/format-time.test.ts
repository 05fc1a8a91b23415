import { describe, expect, test } from '@jest/globals';
import { formatExpiry, formatRelative, formatTime } from '../../cli/terminal/format-time.ts';
import { parseExpiry } from '../../cli/terminal/parse-time.ts';

const now = new Date('2026-11-20T19:14:11.123Z');

test('a formatted time can be parsed again', () => {
  const shown = formatTime('2027-06-30T12:00:05.000Z');
  expect(shown).toMatch(/^2027-0[67]-\d\d \d\d:\d\d:05(?:Z|[+-]\d\d:\d\d)$/);
  expect(parseExpiry(shown, now)).toBe('2027-06-30T12:00:05.000Z');
});

test('no expiry is a dash', () => {
  expect(formatExpiry(null)).toBe('-');
});

describe('a distance is in whole units that are precise enough', () => {
  test.each([
    ['2026-11-20T21:14:11.123Z', 'in 2 hours'],
    ['2026-11-20T19:14:41.123Z', 'in 30 seconds'],
    ['2026-11-20T21:14:01.123Z', 'in 2 hours'],
    ['2026-11-20T20:44:11.123Z', 'in 90 minutes'],
    ['2026-12-20T19:14:11.123Z', 'in 30 days'],
    ['2026-11-17T19:14:11.123Z', '3 days ago'],
    ['2028-11-20T19:14:11.123Z', 'in 2 years'],
    ['2026-11-20T19:14:11.123Z', 'in 0 seconds'],
  ])('%s %s', (moment, distance) => {
    expect(formatRelative(moment, now)).toBe(distance);
  });
});
