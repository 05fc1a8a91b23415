import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countCosts } from '../../bench/count-costs.ts';
import { dataDollars } from '../../bench/prices.ts';

const directory = mkdtempSync(join(tmpdir(), 'auth-service-costs-'));

let costs: Awaited<ReturnType<typeof countCosts>>;
beforeAll(async () => {
  costs = await countCosts({ directory, progress: () => undefined, assembly: process.env.TEST_ASSEMBLY });
});
afterAll(() => rmSync(directory, { recursive: true }));

test('every operation takes the requests and units that it was designed to take', () => {
  expect(costs.operations.length).toBeGreaterThan(10);
  for (const { operation, measured, designed } of costs.operations) {
    expect([operation, measured]).toEqual([operation, designed]);
  }
});

test('a GET costs no more than in any of the common designs, and a forged request costs nothing here alone', () => {
  const [own, ...rivals] = costs.designs;
  expect(rivals).toHaveLength(3);
  expect(dataDollars(own?.forged ?? rivals[0]?.forged ?? ({} as never))).toBe(0);
  for (const { get, forged, getTrips } of rivals) {
    expect(dataDollars(own?.get ?? ({} as never))).toBeLessThanOrEqual(dataDollars(get));
    expect(dataDollars(forged)).toBeGreaterThan(0);
    expect(getTrips).toBeGreaterThan(1);
  }
});
