import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { localAccess } from '../../local/local-credentials.ts';
import { type MemoryTableServer, serveMemoryTables } from '../../local/serve-memory-tables.ts';
import { createStreamClient } from '../../local/stream-client.ts';
import { documentClient } from '../support/document-client.ts';
import { makeFolder } from './write-assembly.ts';

const TableName = 'items';
let file: string;
let server: MemoryTableServer;

beforeEach(async () => {
  file = join(await makeFolder(), 'tables.jsonl');
  server = await serveMemoryTables(file);
  const create = new CreateTableCommand({
    TableName,
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  });
  await new DynamoDBClient({ endpoint: server.endpoint, ...localAccess }).send(create);
});
afterEach(() => server.close());

async function restart(): Promise<void> {
  await server.close();
  server = await serveMemoryTables(file);
}

const keyOf = (pk: string) => ({ pk, sk: 'A' });
const put = (pk: string, more: object = {}) =>
  documentClient(server.endpoint).send(new PutCommand({ TableName, Item: { ...keyOf(pk), ...more } }));
const get = async (pk: string) =>
  (await documentClient(server.endpoint).send(new GetCommand({ TableName, Key: keyOf(pk) }))).Item;

/** The keys of the stream's records after a sequence number, and the last number. */
async function readStream(after?: string) {
  const client = new DynamoDBClient({ endpoint: server.endpoint, ...localAccess });
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const streamArn = Table?.LatestStreamArn ?? '';
  const stream = createStreamClient(server.endpoint);
  const [shard = ''] = await stream.listShards(streamArn);
  const records = await stream.readRecords(streamArn, shard, after);
  const read = records.map(({ eventName, dynamodb }) => [eventName, (dynamodb.Keys as Keys).pk.S]);
  return { streamArn, read, last: records.at(-1)?.dynamodb.SequenceNumber };
}

interface Keys {
  readonly pk: { readonly S: string };
}

test('a restart keeps items and stream, and a reader goes on behind what it had read', async () => {
  await put('a', { list: [1, 'two', null], map: { inner: true } });
  await put('b');
  const before = await readStream();
  await restart();
  await put('c');
  expect(await get('a')).toEqual({ ...keyOf('a'), list: [1, 'two', null], map: { inner: true } });
  const after = await readStream(before.last);
  expect(after.read).toEqual([['INSERT', 'c']]);
  expect(after.streamArn).toBe(before.streamArn);
  expect((await readStream()).read).toEqual([...before.read, ...after.read]);
});

test('a transaction that was written in part is not there after a restart', async () => {
  await put('a');
  const entries = ['b', 'c'].map((pk) => ({ Put: { TableName, Item: keyOf(pk) } }));
  await documentClient(server.endpoint).send(new TransactWriteCommand({ TransactItems: entries }));
  const [last = ''] = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-1);
  appendFileSync(file, last.replaceAll('"b"', '"d"').slice(0, -20));
  await restart();
  expect(await Promise.all(['a', 'b', 'c', 'd'].map(get))).toEqual([keyOf('a'), keyOf('b'), keyOf('c'), undefined]);
});

test('a transaction with a token takes effect once', async () => {
  const update = {
    Update: {
      TableName,
      Key: keyOf('a'),
      UpdateExpression: 'ADD #n :one',
      ExpressionAttributeNames: { '#n': 'n' },
      ExpressionAttributeValues: { ':one': 1 },
    },
  };
  const transaction = new TransactWriteCommand({ TransactItems: [update], ClientRequestToken: randomUUID() });
  for (let n = 0; n < 3; n++) await documentClient(server.endpoint).send(transaction);
  expect(await get('a')).toEqual({ ...keyOf('a'), n: 1 });
});

test('an update of a member of a map leaves the others, and one of a map that is not there is refused', async () => {
  await put('a', { map: { one: 1, two: 2 } });
  const set = (map: string) =>
    new UpdateCommand({
      TableName,
      Key: keyOf('a'),
      UpdateExpression: 'SET #map.#one = :value',
      ExpressionAttributeNames: { '#map': map, '#one': 'one' },
      ExpressionAttributeValues: { ':value': 3 },
    });
  await documentClient(server.endpoint).send(set('map'));
  await expect(documentClient(server.endpoint).send(set('other'))).rejects.toThrow('document path');
  expect(await get('a')).toEqual({ ...keyOf('a'), map: { one: 3, two: 2 } });
});

test('what it does not support is an error that says so', async () => {
  const answer = await fetch(server.endpoint, {
    method: 'POST',
    headers: { 'x-amz-target': 'DynamoDB_20120810.ExecuteStatement' },
    body: '{}',
  });
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { __type: 'UnknownOperationException', message: 'ExecuteStatement is not supported' },
  ]);
});
