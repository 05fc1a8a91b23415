import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CapacityCounter, countCapacity, nothing } from '../../bench/count-capacity.ts';
import { createTable } from '../../local/create-table.ts';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { readStack } from '../../local/read-stack.ts';

const tableName = 'capacity';
const item = { pk: 'a', sk: 'a', gsi1pk: 'g', gsi1sk: 'a' };

let dynamodb: DynamodbProcess;
let counter: CapacityCounter;
let documents: DynamoDBDocumentClient;
beforeAll(async () => {
  const fail = (error: Error) => {
    throw error;
  };
  dynamodb = await startDynamodb({ log: console.error, onGiveUp: fail });
  const { table } = readStack(process.env.TEST_ASSEMBLY ?? '', { tableName });
  await createTable(table, dynamodb.endpoint);
  counter = await countCapacity(dynamodb.endpoint);
  documents = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: counter.endpoint }));
});
afterAll(async () => {
  await counter.close();
  await dynamodb.stop();
});

test('a write in a transaction counts twice in the table and once in the index', async () => {
  await documents.send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName: tableName, Item: item } }] }));
  expect(counter.take()).toEqual({ ...nothing, requests: 1, tableWriteUnits: 2, indexWriteUnits: 1 });
});

test('a strongly consistent read counts one unit for each item, even if the item does not exist', async () => {
  const Keys = ['a', 'b'].map((sk) => ({ pk: 'a', sk }));
  const { Responses } = await documents.send(
    new BatchGetCommand({ RequestItems: { [tableName]: { Keys, ConsistentRead: true } } }),
  );
  expect(Responses?.[tableName]).toEqual([item]);
  expect(counter.take()).toEqual({ ...nothing, requests: 1, readUnits: 2 });
});

test('consumption is reported once, and the control plane is not counted', async () => {
  await createTable(readStack(process.env.TEST_ASSEMBLY ?? '', { tableName }).table, counter.endpoint);
  // The table exists already, so its format is read.
  expect(counter.take()).toEqual({ ...nothing, requests: 1, readUnits: 0.5 });
});
