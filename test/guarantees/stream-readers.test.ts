import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import type { LocalEvent } from '../../local/eventbridge.ts';
import { type RunningStack, runStack } from '../../local/run-stack.ts';
import { createManageClient } from '../../local/sigv4-client.ts';
import { eventually } from '../support/eventually.ts';
import { type FaultyTable, serveFaultyTable } from '../support/faulty-table.ts';

let dynamodb: DynamodbProcess;
let table: FaultyTable;
let stack: RunningStack;
const events: LocalEvent[] = [];
beforeAll(async () => {
  dynamodb = await startDynamodb({ log: console.error, onGiveUp: console.error });
  table = await serveFaultyTable(dynamodb.endpoint);
  stack = await runStack({
    assembly: process.env.TEST_ASSEMBLY ?? '',
    dynamodb: table.url,
    tableName: process.env.TABLE_NAME ?? '',
    root: Buffer.alloc(32, 7).toString('base64'),
    logsEvent: (event) => events.push(event) === 0,
  });
});
afterAll(async () => {
  await stack.close();
  await table.close();
  await dynamodb.stop();
});

const manage = (method: string, path: string, body?: object) =>
  createManageClient(stack.manageUrl, stack.accessKey)(method, path, body);
const changeIds = () => events.map(({ detail }) => String(Object(detail).id));
const listedIds = async () => {
  const { body } = await manage('GET', '/changes');
  return (Object(body).items as { id: string }[]).map(({ id }) => id);
};

test('each event is published once while the global history cannot be written, which then catches up', async () => {
  table.denies = (operation, body) => operation === 'TransactWriteItems' && body.includes('"HISTORY#');
  const users = ['ada', 'grace', 'alan', 'edith'];
  for (const userId of users) expect(await manage('PUT', `/users/${userId}`, {})).toMatchObject({ status: 201 });
  expect(
    await eventually(
      async () => events.length,
      (count) => count >= users.length,
    ),
  ).toBeGreaterThan(0);
  const deniedBefore = table.denied;
  // The batch with the denied changes is delivered repeatedly.
  expect(await eventually(async () => table.denied >= deniedBefore + 3, Boolean)).toBe(true);
  const ids = changeIds();
  expect(ids).toHaveLength(users.length);
  expect(new Set(ids).size).toBe(users.length);
  expect(await listedIds()).toEqual([]);
  table.denies = () => false;
  expect(await eventually(listedIds, ({ length }) => length === users.length)).toEqual(ids.toSorted().reverse());
  expect(changeIds()).toEqual(ids);
});
