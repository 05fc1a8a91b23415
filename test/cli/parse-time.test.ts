import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseDuration, parseExpiry, parsePast } from '../../cli/terminal/parse-time.ts';

const before = process.env.TZ;
process.env.TZ = 'Europe/Berlin';
afterAll(() => {
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
});

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
    ['2027-01-31T12:00', '2027-01-31T11:00:00.000Z'],
    ['2027-01-31 12:00:30', '2027-01-31T11:00:30.000Z'],
    // In Berlin it is Friday, 20 November; a day ends at 23:59.
    ['2027-01-31', '2027-01-31T22:59:00.000Z'],
    ['today', '2026-11-20T22:59:00.000Z'],
    ['Tomorrow', '2026-11-21T22:59:00.000Z'],
    ['friday', '2026-11-27T22:59:00.000Z'],
    ['mon', '2026-11-23T22:59:00.000Z'],
    ['friday 18:00', '2026-11-27T17:00:00.000Z'],
    ['today 22:00', '2026-11-20T21:00:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(parseExpiry(text, now)).toBe(moment);
  });

  test.each([
    ['soon', /^It must be a duration \(90s, .*, a day \(today, friday, 2027-01-31\), .*, or 2027-01-31T12:00:00Z\.$/],
    ['constructor', /^It must be a duration/],
    ['2027-02-30', /^There is no day 2027-02-30\.$/],
    ['2027-02-30T12:00', /^There is no day 2027-02-30\.$/],
    ['2027-02-30T12:00:00Z', /^It must be a duration/],
    ['2027-01-31T25:00', /^There is no time 25:00\.$/],
    ['friday 18', /^It must be a duration/],
    ['yesterday', /^It must be in the future; 2026-11-19T22:59:00\.000Z has passed\.$/],
    ['2026-11-20T19:14:11Z', /^It must be in the future; 2026-11-20T19:14:11\.000Z has passed\.$/],
    ['0s', /^It must be more than 0 seconds\.$/],
    ['999999999s9', /^It must be a duration/],
  ])('%s is refused', (text, message) => {
    expect(() => parseExpiry(text, now)).toThrow(message);
  });

  test('of a time that the clocks skip is refused with both times that it can mean', () => {
    expect(() => parseExpiry('2027-03-28 02:30', now)).toThrow(
      /skip 02:30 on this day\..*before \(2027-03-28 01:30:00\+01:00\) or after \(2027-03-28 03:30:00\+02:00\)/,
    );
  });
});

describe('an instant in the past', () => {
  test.each([
    ['7d', '2026-11-13T19:14:11.123Z'],
    ['PT2H', '2026-11-20T17:14:11.123Z'],
    ['0s', now.toISOString()],
    ['2026-01-31 12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00', '2026-01-31T11:00:00.000Z'],
    ['2026-01-31', '2026-01-30T23:00:00.000Z'],
    ['today', '2026-11-19T23:00:00.000Z'],
    ['yesterday', '2026-11-18T23:00:00.000Z'],
    ['yesterday 08:30', '2026-11-19T07:30:00.000Z'],
    ['friday', '2026-11-12T23:00:00.000Z'],
    ['thursday', '2026-11-18T23:00:00.000Z'],
    ['sat', '2026-11-13T23:00:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(parsePast(text, now)).toBe(moment);
  });

  test('that ends a period has the whole of its day', () => {
    expect([parsePast('yesterday', now, 'end'), parsePast('2026-10-25', now, 'end')]).toEqual([
      '2026-11-19T23:00:00.000Z',
      // The clocks go back on this day.
      '2026-10-25T23:00:00.000Z',
    ]);
  });

  test('last week is refused with the formats', () => {
    expect(() => parsePast('last week', now)).toThrow(/^It must be a duration before now/);
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
