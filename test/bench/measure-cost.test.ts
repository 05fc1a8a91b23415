import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { directoryOperations, questionOperations } from '../../bench/bearer-operations.ts';
import { nothing } from '../../bench/count-capacity.ts';
import { countCosts, dollarsInAll } from '../../bench/measure-cost.ts';
import { webhookOperations } from '../../bench/webhook-operations.ts';
import { costedOf, dollarsOf, webhookDollars } from '../docs/cost-rows.ts';

const directory = mkdtempSync(join(tmpdir(), 'auth-service-costs-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('every operation takes as many requests and units as designed', async () => {
  const costs = await countCosts({ directory, progress: () => undefined, assembly: process.env.TEST_ASSEMBLY });
  expect(costs.length).toBeGreaterThan(10);
  for (const { operation, measured, designed } of costs) expect([operation, measured]).toEqual([operation, designed]);
});

test.each([
  ['GET access', 1, { readUnits: 3, writeUnits: 0, trips: 1, changes: false, isBrief: true }],
  ['GET changes, nothing new', 3, { readUnits: 3, writeUnits: 0, trips: 2, changes: false, isBrief: true }],
  ['PUT access, another status', 2, { readUnits: 3, writeUnits: 13, trips: 2, changes: true, isBrief: false }],
  ['PUT access, no change', 2, { readUnits: 3, writeUnits: 1, trips: 2, changes: false, isBrief: false }],
])('the bench and the cost page calculate the same price: %s', (operation, requests, row) => {
  const index = row.changes ? 3 : 0;
  const measured = {
    ...nothing,
    requests,
    readUnits: row.readUnits,
    tableWriteUnits: row.writeUnits - index,
    indexWriteUnits: index,
  };
  const costed = dollarsOf({ name: operation, ...row });
  expect(dollarsInAll({ operation, isBrief: row.isBrief, measured, answerBytes: 300 })).toBeCloseTo(costed, 6);
});

test.each([...questionOperations, ...directoryOperations].map((each) => [each.operation, each] as const))(
  'the bench and the cost page calculate the same price of a connection: %s',
  (_, each) => {
    const { designed: measured } = each;
    expect(dollarsInAll({ ...each, measured, answerBytes: 300 })).toBeCloseTo(dollarsOf(costedOf(each)), 6);
  },
);

test.each(webhookOperations.map((each) => [each.operation, each] as const))(
  'the bench and the cost page calculate the same price for webhooks: %s',
  (_, each) => {
    const { designed: measured } = each;
    expect(dollarsInAll({ ...each, measured, answerBytes: 0 })).toBeCloseTo(webhookDollars(each), 6);
  },
);
