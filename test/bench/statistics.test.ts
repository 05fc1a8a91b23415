import { expect, test } from '@jest/globals';
import { pairedRatios, quantile, seededRandom, shuffled, spread } from '../../bench/statistics.ts';

test('quantiles are interpolated', () => {
  expect([0.25, 0.5, 0.75, 1].map((share) => quantile([4, 1, 3, 2], share))).toEqual([1.75, 2.5, 3.25, 4]);
});

test('a spread is the median with both quartiles', () => {
  expect(spread([4, 1, 3, 2], 2)).toBe('2.50 (1.75–3.25)');
});

test('paired ratios compare samples of the same round', () => {
  expect(pairedRatios([2, 9], [1, 3])).toEqual([2, 3]);
});

test('shuffling keeps all values, and puts each value in each place', () => {
  const random = seededRandom(1);
  const orders = Array.from({ length: 200 }, () => shuffled(['a', 'b', 'c'], random).join(''));
  expect(new Set(orders)).toEqual(new Set(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']));
});
