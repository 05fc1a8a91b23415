import { expect, test } from '@jest/globals';
import { atLeast, atMost, missesBudget } from '../../bench/measurement.ts';
import { reportText } from '../../bench/performance-report.ts';
import { pairedRatios, quartiles } from '../../bench/statistics.ts';

test('the report has the budgets, the texts and the pictures of each measurement', () => {
  const text = reportText([
    {
      title: 'Weight',
      at: '2026-11-21T00:00:00.000Z',
      machine: { node: 'v24', cpu: 'some', cores: 2 },
      budgets: [atMost('bytes', 3, 2, 'KB'), atLeast('requests', 3, 2, '1/s')],
      samples: {},
      report: ['Some words.', { kind: 'bars', file: 'weight.svg', title: 'Bytes', unit: 'KB', bars: [] }],
    },
  ]);
  expect(text).toContain('## Weight');
  expect(text).toContain('| bytes | 3 KB | ≤ 2 KB | **missed** |');
  expect(text).toContain('| requests | 3 1/s | ≥ 2 1/s | kept |');
  expect(text).toContain('Some words.\n\n![Bytes](images/weight.svg)');
});

test('a figure that is none misses its budget', () => {
  expect(missesBudget(atMost('nothing', Number.NaN, 1, '×'))).toBe(true);
  expect(missesBudget(atLeast('nothing', Number.NaN, 1, '×'))).toBe(true);
});

test('quartiles are interpolated', () => {
  expect(quartiles([4, 1, 3, 2])).toEqual({ lower: 1.75, median: 2.5, upper: 3.25 });
});

test('paired ratios compare what was measured in the same round', () => {
  expect(pairedRatios([2, 9], [1, 3])).toEqual([2, 3]);
});
