import { expect, test } from '@jest/globals';
import { GlobalTable } from './regions.ts';
import { runSimulate } from './run-simulate.ts';
import type { SimulatedDynamoDb } from './simulated-dynamodb.ts';
import { World } from './virtual-time.ts';

const key = { pk: 'p', sk: 's' };
const put = (to: SimulatedDynamoDb, value: number) =>
  to.receive('PutItem', { Item: { ...key, value } }, () => undefined);
const valuesIn = ({ regions }: GlobalTable) => regions.map(({ table }) => table.get(key)?.value);

test('the last writer wins in both Regions, whatever arrives first', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const world = new World(seed);
    const table = new GlobalTable(world, 5000);
    for (let n = 1; n <= 6; n++) {
      world.schedule(n * 100, () => put(table.regions[n % 2 === 0 ? 0 : 1], n));
    }
    await world.run();
    expect(valuesIn(table)).toEqual([6, 6]);
  }
});

test('what a lost Region has not copied is lost', async () => {
  const world = new World(1);
  const table = new GlobalTable(world, 5000);
  put(table.regions[0], 1);
  await world.run();
  put(table.regions[0], 2);
  table.separate();
  await world.run();
  expect(valuesIn(table)).toEqual([2, 1]);
});

test('after 60 takeovers without a repair, every error is in the catalogue and each read shows what is stored', async () => {
  const { stdout } = await runSimulate('--seeds', '60', '--workers', '2', '--takeovers');
  expect(stdout).toMatch(/^60 seeds, 0 failed/);
});
