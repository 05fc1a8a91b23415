import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type LimitOutcome, simulateLimit } from './simulate-limit.ts';

const seeds = [1, 2, 3, 4, 5];
const windowSeconds = 5;

/** Returns admitted requests by window, as multiples of the limit. */
function multiples({ admitted }: LimitOutcome, limit: number): number[] {
  return admitted.map((count) => count / (limit * windowSeconds));
}

describe('at ten times the load', () => {
  test.each(seeds)(
    '1,000 processes are within 20 %% of a limit of 500 per second in the third window, seed %i',
    (seed) => {
      const outcome = simulateLimit({ limit: 500, loadAt: () => 5000, processes: 1000, seconds: 50, seed });
      const [, , third = 0, ...later] = multiples(outcome, 500);
      expect(Math.abs(third - 1)).toBeLessThan(0.2);
      for (const each of later) expect(Math.abs(each - 1)).toBeLessThan(0.1);
      // One ADD for each process and window, far below the 1,000 writes that an item takes.
      expect(Math.max(...outcome.settlements) / windowSeconds).toBeLessThanOrEqual(200);
    },
  );

  test.each(seeds)('a sudden load is within 20 %% of the limit in the fourth window, seed %i', (seed) => {
    const loadAt = (second: number) => (second < 60 ? 150 : 5000);
    const outcome = simulateLimit({ limit: 500, loadAt, processes: 1000, seconds: 90, seed });
    const after = multiples(outcome, 500).slice(12);
    expect(after[2]).toBeLessThan(1.8);
    for (const each of after.slice(3)) expect(Math.abs(each - 1)).toBeLessThan(0.2);
  });

  test('a single process enforces the limit after the first seconds', () => {
    const outcome = simulateLimit({ limit: 100, loadAt: () => 1000, processes: 1, seconds: 30, seed: 1 });
    const [first, ...later] = multiples(outcome, 100);
    expect(first).toBeLessThan(2);
    for (const each of later) expect(Math.abs(each - 1)).toBeLessThan(0.2);
  });
});

describe('below the limit', () => {
  test.each([20, 1000])('%i processes refuse at most 1 in 1,000 requests at nine tenths of the limit', (processes) => {
    const { admitted, sent } = simulateLimit({ limit: 500, loadAt: () => 450, processes, seconds: 120, seed: 3 });
    expect(sum(admitted) / sum(sent)).toBeGreaterThan(0.999);
  });

  test('processes far below the limit or without a limit write nothing', () => {
    for (const limit of [20_000, null]) {
      const { settlements } = simulateLimit({ limit, loadAt: () => 50, processes: 200, seconds: 60, seed: 1 });
      expect(sum(settlements)).toBe(0);
    }
  });

  test('processes below half of the limit write at most a third as much as near it', () => {
    const writes = (load: number) =>
      sum(simulateLimit({ limit: 500, loadAt: () => load, processes: 20, seconds: 300, seed: 1 }).settlements.slice(6));
    expect(writes(150)).toBeLessThan(writes(450) / 3);
  });
});

test('a slowly growing load is noticed, although each process has settled rarely', () => {
  const loadAt = (second: number) => 150 * 1.15 ** (second / 10);
  for (const processes of [20, 200, 1000]) {
    const outcome = simulateLimit({ limit: 500, loadAt, processes, seconds: 200, seed: 2 });
    expect(Math.max(...multiples(outcome, 500))).toBeLessThan(1.5);
    expect(multiples(outcome, 500).at(-1)).toBeLessThan(1.2);
  }
});

describe('docs/operate/scale.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/operate/scale.md'), 'utf8');

  test.each([
    [500, 1000],
    [200, 1000],
    [100, 1000],
    [50, 1000],
    [20, 1000],
    [50, 100],
    [10, 20],
  ])('the page has the error of a limit of %i per second over %i processes', (limit, processes) => {
    const outcome = simulateLimit({ limit, loadAt: () => limit * 10, processes, seconds: 45, seed: 1 });
    const figures = multiples(outcome, limit).slice(0, 7);
    const writes = Math.round((outcome.settlements[4] ?? 0) / windowSeconds);
    const row = [limit, processes.toLocaleString('en'), ...figures.map((each) => each.toFixed(1)), writes].join(' | ');
    const rows = page.split('\n').map((line) =>
      line
        .slice(1, -1)
        .trim()
        .replace(/ *\| */g, ' | '),
    );
    expect(rows).toContain(row);
  });
});

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
