import { describe, expect, test } from '@jest/globals';
import { readUntil } from '../../cli/read-until.ts';

const now = new Date('2026-11-20T19:14:11.123Z');

describe('the end of something', () => {
  test.each([
    ['2h', '2026-11-20T21:14:11.123Z'],
    ['PT2H', '2026-11-20T21:14:11.123Z'],
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00+02:00', '2027-01-31T10:00:00.000Z'],
    ['2027-01-31 12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00', new Date(2027, 0, 31, 12).toISOString()],
    ['2027-01-31 12:00:30', new Date(2027, 0, 31, 12, 0, 30).toISOString()],
  ])('%s is %s', (text, moment) => {
    expect(readUntil(text, now)).toBe(moment);
  });

  test.each([
    ['tomorrow', /^Allowed are a duration \(90s, .*2027-01-31T12:00:00Z, or 2027-01-31T12:00 local time\.$/],
    ['2027-01-31', /^Add a time of day, as in 2027-01-31T23:59\.$/],
    ['2027-02-30T12:00', /^There is no such time in the time zone/],
    ['2027-02-30T12:00:00Z', /^Allowed are/],
    ['2027-01-31T25:00', /^There is no such time/],
    ['2026-11-20T19:14:11Z', /^It must lie in the future; this is 2026-11-20T19:14:11\.000Z\.$/],
    ['0s', /^It must be more than nothing\.$/],
    ['999999999s9', /^Allowed are/],
  ])('%s is refused', (text, message) => {
    expect(() => readUntil(text, now)).toThrow(message);
  });
});
