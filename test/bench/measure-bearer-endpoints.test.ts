import { expect, test } from '@jest/globals';
import { bearerRequests, resultOf } from '../../bench/measure-bearer-endpoints.ts';
import { missesBudget } from '../../bench/measurement.ts';

const cold = { loadMs: 100, answerMs: 150, cpuMs: 100, peakMegabytes: 60 };
const labels = ['get-access', ...bearerRequests.map(({ label }) => label)];
/** Samples in which each request takes this much more than a GET. */
const samplesOf = (ratioOf: (label: string) => number) => ({
  cold: Object.fromEntries(labels.map((label) => [label, [{ ...cold, cpuMs: 100 * Math.min(1.2, ratioOf(label)) }]])),
  warm: Object.fromEntries(
    labels.map((label) => [label, [{ cpuMicroseconds: 900 * ratioOf(label), milliseconds: 1 }]]),
  ),
});

test('each request of a connection is compared with a GET of the same run', () => {
  const { cold, warm } = samplesOf((label) => (label === 'scim-users, PATCH' ? 2.5 : 1));
  const { budgets, report } = resultOf(cold, warm);
  expect(report[1]).toContain(
    '| scim-users, PATCH | 2250 (2250–2250) | 2.50 (2.50–2.50) | 120.0 (120.0–120.0) | 1.20 | 1.00 | 60.0 |',
  );
  expect(budgets.map(({ value }) => value)).toEqual([1, 2.5, 1.2]);
  expect(budgets.filter(missesBudget)).toEqual([]);
});

test.each([
  ['evaluate-access', 1.6, 'CPU of the slowest warm read / GET'],
  ['scim-users, PATCH', 3.6, 'CPU of the slowest warm write / GET'],
])('%s that takes %d times as much as a GET misses its budget', (slow, ratio, name) => {
  const { cold, warm } = samplesOf((label) => (label === slow ? ratio : 1));
  expect(resultOf(cold, warm).budgets.filter(missesBudget)).toMatchObject([{ name }]);
});
