import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { countCosts } from '../../bench/measure-cost.ts';

const directory = mkdtempSync(join(tmpdir(), 'auth-service-costs-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('every operation takes the requests and units that it was designed to take', async () => {
  const costs = await countCosts({ directory, progress: () => undefined, assembly: process.env.TEST_ASSEMBLY });
  expect(costs.length).toBeGreaterThan(10);
  for (const { operation, measured, designed } of costs) expect([operation, measured]).toEqual([operation, designed]);
}, 60_000);
