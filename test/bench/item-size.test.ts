import { BatchGetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { itemBytes, readUnits } from '../../bench/item-size.ts';
import { itemsOf } from '../../bench/populations.ts';
import { documentClient } from '../support/document-client.ts';
import { startSources, type TestService } from '../support/start-service.ts';

const TableName = process.env.TABLE_NAME ?? '';

let service: TestService;
beforeAll(async () => {
  service = await startSources();
});
afterAll(() => service.stop());

test.each([
  [0, 1],
  [200, 3],
  [500, 8],
])('an access with %d roles takes %d read units', async (rolesPerUser, units) => {
  const population = { users: 1, accesses: 1, applications: 0, keysPerApplication: 0, rolesPerUser };
  const access = [...itemsOf(population, [])].find(({ sk }) => String(sk).startsWith('ACCESS#')) ?? {};
  expect(readUnits(itemBytes(access))).toBe(units);
  const documents = documentClient(service.endpoint);
  await documents.send(new PutCommand({ TableName, Item: access }));
  const Keys = [{ pk: access.pk, sk: access.sk }];
  const { ConsumedCapacity } = await documents.send(
    new BatchGetCommand({
      RequestItems: { [TableName]: { Keys, ConsistentRead: true } },
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
  expect(ConsumedCapacity?.[0]?.CapacityUnits).toBe(units);
});

test('sizes count names, maps and lists as DynamoDB does', () => {
  expect(itemBytes({ pk: 'ä', n: 1234, none: null, yes: true })).toBe(2 + 2 + 1 + 3 + 4 + 1 + 3 + 1);
  expect(itemBytes({ map: { a: 'b' } })).toBe(3 + 3 + 1 + 1 + 1);
  expect(itemBytes({ list: ['b', 'c'] })).toBe(4 + 3 + 2 + 2);
  expect([0, 4096, 4097].map(readUnits)).toEqual([1, 1, 2]);
});
