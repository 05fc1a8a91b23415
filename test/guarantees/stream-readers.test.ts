import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import type { LocalEvent } from '../../local/eventbridge.ts';
import { type RunningStack, runStack } from '../../local/run-stack.ts';
import { createManageClient } from '../support/ask-manage.ts';
import { eventually } from '../support/eventually.ts';
import { type FaultyTable, serveFaultyTable } from '../support/faulty-table.ts';
import { type Key, sendSigned } from '../support/send-request.ts';

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

test('each event is published once while changes cannot be numbered, and a follower has each at once', async () => {
  expect(await manage('POST', '/applications', { appId: 'billing', name: 'Billing' })).toMatchObject({ status: 201 });
  const issued = Object(await manage('POST', '/applications/billing/keys', { scopes: ['access:read'] })).body as Key;
  const read = async (query: string) =>
    (await sendSigned(stack.url, issued, ['GET', `/api/service/changes?limit=100${query}`])).body;
  const follow = (after: string) => read(`&actions=role.defined&after=${after}`);
  // Of all actions: otherwise the first changes can get their numbers after the cursor.
  const { cursor } = await eventually(
    () => read(''),
    ({ pending }) => pending === 0,
  );
  table.denies = (operation, body) => /^(TransactWrite|Put)Item/.test(operation) && body.includes('"LOG#');
  const roles = ['editor', 'viewer', 'guest', 'owner'];
  for (const role of roles) {
    expect(await manage('PUT', `/applications/billing/roles/${role}`, {})).toMatchObject({ status: 201 });
    const { items, pending } = await follow(cursor);
    expect([items.at(-1).role, pending, items.length]).toEqual([role, items.length, roles.indexOf(role) + 1]);
  }
  expect(
    await eventually(
      async () => events.filter(({ detail }) => Object(detail).action === 'role.defined').length,
      (count) => count >= roles.length,
    ),
  ).toBe(4);
  const deniedBefore = table.denied;
  // The batch with the denied changes is delivered repeatedly.
  expect(await eventually(async () => table.denied >= deniedBefore + 3, Boolean)).toBe(true);
  const ids = changeIds();
  expect(new Set(ids).size).toBe(ids.length);
  const repeated = await follow(cursor);
  expect(repeated).toMatchObject({ pending: roles.length, cursor });
  table.denies = () => false;
  const numbered = await eventually(
    () => follow(cursor),
    ({ pending }) => pending === 0,
  );
  expect(numbered.items).toEqual(repeated.items);
  expect((await follow(numbered.cursor)).items).toEqual([]);
  expect(changeIds()).toEqual(ids);
});
