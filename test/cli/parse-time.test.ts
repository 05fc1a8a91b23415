import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseDuration, parseExpiry, parsePast } from '../../cli/terminal/parse-time.ts';

const now = new Date('2026-11-20T19:14:11.123Z');

describe('an expiry', () => {
  test.each([
    ['2h', '2026-11-20T21:14:11.123Z'],
    ['PT2H', '2026-11-20T21:14:11.123Z'],
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00+02:00', '2027-01-31T10:00:00.000Z'],
    ['2027-01-31 12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31t12:00:00z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31 12:00:00z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00', new Date(2027, 0, 31, 12).toISOString()],
    ['2027-01-31 12:00:30', new Date(2027, 0, 31, 12, 0, 30).toISOString()],
  ])('%s is %s', (text, moment) => {
    expect(parseExpiry(text, now)).toBe(moment);
  });

  test.each([
    ['tomorrow', /^It must be a duration \(90s, .*2027-01-31T12:00:00Z, or 2027-01-31T12:00 local time\.$/],
    ['2027-01-31', /^Add a time of day, as in 2027-01-31T23:59\.$/],
    ['2027-02-30T12:00', /^This time does not exist in the time zone/],
    ['2027-02-30T12:00:00Z', /^It must be a duration/],
    ['2027-01-31T25:00', /^This time does not exist/],
    ['2026-11-20T19:14:11Z', /^It must be in the future; 2026-11-20T19:14:11\.000Z has passed\.$/],
    ['0s', /^It must be more than 0 seconds\.$/],
    ['999999999s9', /^It must be a duration/],
  ])('%s is refused', (text, message) => {
    expect(() => parseExpiry(text, now)).toThrow(message);
  });
});

describe('an instant in the past', () => {
  test.each([
    ['7d', '2026-11-13T19:14:11.123Z'],
    ['PT2H', '2026-11-20T17:14:11.123Z'],
    ['0s', now.toISOString()],
    ['2026-01-31 12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00', new Date(2026, 0, 31, 12).toISOString()],
  ])('%s is %s', (text, moment) => {
    expect(parsePast(text, now)).toBe(moment);
  });

  test.each([
    ['last week', /^It must be a duration/],
    ['2026-01-31', /^Add a time of day/],
  ])('%s is refused', (text, message) => {
    expect(() => parsePast(text, now)).toThrow(message);
  });
});

describe('a duration', () => {
  test.each([
    ['90s', 90],
    ['15m', 900],
    ['2h', 7200],
    ['1d', 86_400],
    ['2w', 1_209_600],
    ['1d12h', 129_600],
    ['0s', 0],
    ['PT2H', 7200],
    ['PT90S', 90],
    ['P7D', 604_800],
    ['P1DT12H', 129_600],
    ['P2W', 1_209_600],
  ])('%s is %i seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  test.each([
    '',
    '2',
    'h',
    '2 h',
    '-2h',
    '2H',
    '1.5h',
    '12h1d',
    'P',
    'PT',
    'P1DT',
    'P1M',
    'P1Y',
    'pt2h',
    '2h ',
    '99999999999s',
  ])('%j is not one', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  test('is the sum of its parts, in either notation', () => {
    const part = (max: number) => fc.nat({ max });
    fc.assert(
      fc.property(part(99), part(99), part(99), part(99), (d, h, m, s) => {
        const seconds = d * 86_400 + h * 3600 + m * 60 + s;
        expect(parseDuration(`${d}d${h}h${m}m${s}s`)).toBe(seconds);
        expect(parseDuration(`P${d}DT${h}H${m}M${s}S`)).toBe(seconds);
      }),
    );
  });
});
