import { expect, test } from '@jest/globals';
import { countCosts } from '../../bench/measure-cost.ts';

test('every operation takes as many requests and units as designed', async () => {
  const assembly = process.env.TEST_ASSEMBLY ?? '';
  const costs = await countCosts({ directory: '', assembly, progress: () => undefined });
  expect(costs.length).toBeGreaterThan(10);
  for (const { operation, measured, designed } of costs) expect([operation, measured]).toEqual([operation, designed]);
});
