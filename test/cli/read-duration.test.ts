import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readDuration } from '../../cli/read-duration.ts';

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
    expect(readDuration(text)).toBe(seconds);
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
  ])('%j is none', (text) => {
    expect(readDuration(text)).toBeUndefined();
  });

  test('is the sum of its parts, in either notation', () => {
    const part = (max: number) => fc.nat({ max });
    fc.assert(
      fc.property(part(99), part(99), part(99), part(99), (d, h, m, s) => {
        const seconds = d * 86_400 + h * 3600 + m * 60 + s;
        expect(readDuration(`${d}d${h}h${m}m${s}s`)).toBe(seconds);
        expect(readDuration(`P${d}DT${h}H${m}M${s}S`)).toBe(seconds);
      }),
    );
  });
});
