import { describe, expect, test } from '@jest/globals';
import { playScenarios, scenarioText, writtenScenarios } from '../../bench/measure-scale.ts';

const scenarios = playScenarios();

/** The formatter aligns tables. */
function unaligned(text: string): string {
  return text.replace(/ {2,}/g, ' ').replace(/-{2,}/g, '-');
}

test('docs/scale.md holds what the simulation gives', () => {
  expect(unaligned(writtenScenarios())).toBe(unaligned(scenarioText(scenarios)));
});

describe('in the scenarios', () => {
  test('one application is served up to the limit of one item, and all with a cached key state', () => {
    const [uncached, ...cached] = scenarios.hotApplication;
    const top = uncached?.points.at(-1);
    expect(top?.served).toBeLessThanOrEqual(3000);
    expect(top?.served).toBeGreaterThan(2900);
    for (const { points } of cached) for (const { rate, served } of points) expect(served).toBeCloseTo(rate);
  });

  test('a history beyond its limit takes nothing from another one', () => {
    for (const { neighbour } of [...scenarios.hotHistory.oneUnit, ...scenarios.hotHistory.twoUnits]) {
      expect(neighbour).toBeCloseTo(1);
    }
  });

  test('ids in random order are imported faster than in ascending order', () => {
    const [last, random] = [scenarios.importOfUsers.ascending.at(-1), scenarios.importOfUsers.random.at(-1)];
    expect(last?.served).toBeLessThanOrEqual(1000);
    expect(random?.served).toBeCloseTo(random?.rate ?? 0);
  });
});
