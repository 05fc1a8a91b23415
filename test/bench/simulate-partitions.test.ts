import { describe, expect, test } from '@jest/globals';
import { type Flow, partitionLimits, simulatePartitions } from '../../bench/simulate-partitions.ts';
import { poisson, seededRandom, shuffled } from '../../bench/statistics.ts';

const flow = (unitsPerSecond: number, spread: Flow['spread'], kind: Flow['kind'] = 'read'): Flow => ({
  kind,
  spread,
  unitsPerSecond: () => unitsPerSecond,
});
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('simulated partitions', () => {
  test('serve all that lies below their limits', () => {
    const flows = [flow(2000, 'one item'), flow(500, 'ascending', 'write'), flow(2000, 'many keys')];
    const { flows: results } = simulatePartitions({ flows, seconds: 120 });
    for (const { asked, served } of results) expect(sum(served)).toBeCloseTo(sum(asked));
  });

  test('never serve more than is asked for, nor more than their limits', () => {
    const flows = [flow(9000, 'one item'), flow(4000, 'ascending', 'write'), flow(30_000, 'many keys')];
    const { flows: results, mostServed } = simulatePartitions({ flows, seconds: 1500 });
    for (const { asked, served } of results) {
      expect(served.every((units, second) => units <= (asked[second] ?? 0) + 1e-6)).toBe(true);
    }
    expect(mostServed.read).toBeLessThanOrEqual(partitionLimits.read);
    expect(mostServed.write).toBeLessThanOrEqual(partitionLimits.write);
  });

  test.each(['one item', 'ascending'] as const)('are not relieved by splits of what goes to %s', (spread) => {
    const { flows } = simulatePartitions({ flows: [flow(6000, spread)], seconds: 3000, splitAfterSeconds: 60 });
    expect(Math.max(...(flows[0]?.served ?? []))).toBeLessThanOrEqual(partitionLimits.read);
  });

  test('are relieved by splits of what is spread over one key', () => {
    const { flows, partitions } = simulatePartitions({ flows: [flow(6000, 'one key')], seconds: 1500 });
    expect(sum(flows[0]?.served.slice(0, 600) ?? [])).toBeCloseTo(600 * partitionLimits.read);
    expect(sum(flows[0]?.served.slice(-60) ?? [])).toBeCloseTo(sum(flows[0]?.asked.slice(-60) ?? []));
    expect(partitions).toBeGreaterThan(4);
  });

  test('give the same for the same seed, and something else for another', () => {
    const play = (seed: number) => simulatePartitions({ flows: [flow(100, 'one item')], seconds: 20, seed });
    expect(play(7)).toEqual(play(7));
    expect(play(8)).not.toEqual(play(7));
  });
});

test.each([0.5, 7, 400])('requests that come at random keep their mean of %d', (mean) => {
  const random = seededRandom(1);
  const counts = Array.from({ length: 20_000 }, () => poisson(mean, random));
  expect(Math.abs(sum(counts) / counts.length - mean)).toBeLessThan(0.02 * mean + 0.01);
  expect(counts.every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
});

test('shuffled things are all there, and each stands in each place', () => {
  const random = seededRandom(1);
  const orders = Array.from({ length: 200 }, () => shuffled(['a', 'b', 'c'], random).join(''));
  expect(new Set(orders)).toEqual(new Set(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']));
});
