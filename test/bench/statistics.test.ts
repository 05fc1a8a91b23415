import { expect, test } from '@jest/globals';
import { pairedRatios, quantile, spread } from '../../bench/statistics.ts';

test('quantiles are interpolated', () => {
  expect([0.25, 0.5, 0.75, 1].map((share) => quantile([4, 1, 3, 2], share))).toEqual([1.75, 2.5, 3.25, 4]);
});

test('a spread is the median with both quartiles', () => {
  expect(spread([4, 1, 3, 2], 2)).toBe('2.50 (1.75–3.25)');
});

test('paired ratios compare samples of the same round', () => {
  expect(pairedRatios([2, 9], [1, 3])).toEqual([2, 3]);
});
