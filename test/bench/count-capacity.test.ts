import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GenerateMacCommand, KMSClient } from '@aws-sdk/client-kms';
import { BatchGetCommand, DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CapacityCounter, countCapacity, nothing } from '../../bench/count-capacity.ts';
import { createTable } from '../../local/create-table.ts';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { type LocalKeyService, serveKeyService } from '../../local/key-service.ts';
import { readStack } from '../../local/read-stack.ts';

const tableName = 'capacity';
const item = { pk: 'a', sk: 'a', gsi1pk: 'g', gsi1sk: 'a' };

let dynamodb: DynamodbProcess;
let keys: LocalKeyService;
let counter: CapacityCounter;
let documents: DynamoDBDocumentClient;
beforeAll(async () => {
  const fail = (error: Error) => {
    throw error;
  };
  dynamodb = await startDynamodb({ log: console.error, onGiveUp: fail });
  const { table } = readStack(process.env.TEST_ASSEMBLY ?? '', { tableName });
  await createTable(table, dynamodb.endpoint);
  keys = await serveKeyService({ root: Buffer.alloc(32, 7).toString('base64') });
  counter = await countCapacity(dynamodb.endpoint, { kms: keys.url, except: /"not-counted"/ });
  documents = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: counter.endpoint }));
});
afterAll(async () => {
  await counter.close();
  await keys.close();
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

test('a request to KMS is answered by KMS, and counts as such', async () => {
  const client = new KMSClient({ endpoint: counter.endpoint, region: 'local' });
  const command = new GenerateMacCommand({ KeyId: 'any', MacAlgorithm: 'HMAC_SHA_256', Message: Buffer.from('any') });
  const { Mac } = await client.send(command);
  client.destroy();
  expect(Buffer.from(Mac ?? [])).toEqual(Buffer.alloc(32, 7));
  expect(counter.take()).toEqual({ ...nothing, kmsRequests: 1 });
});

test('an excepted request takes effect, and is not counted', async () => {
  const Item = { ...item, sk: 'not-counted' };
  await documents.send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName: tableName, Item } }] }));
  expect(counter.take()).toEqual(nothing);
  const keysOf = [{ pk: 'a', sk: 'not-counted' }];
  const { Responses } = await documents.send(new BatchGetCommand({ RequestItems: { [tableName]: { Keys: keysOf } } }));
  expect(Responses?.[tableName]).toEqual([Item]);
});
