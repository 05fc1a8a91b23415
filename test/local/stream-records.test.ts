import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTable } from '../../local/create-table.ts';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { localAccess } from '../../local/local-credentials.ts';
import { pollStream } from '../../local/poll-stream.ts';
import { readStack } from '../../local/read-stack.ts';
import type { StreamRecord } from '../../local/stream-client.ts';
import { StreamTrimmer } from '../../local/stream-records.ts';
import { eventually } from '../support/eventually.ts';

const tableName = 'trimmed';
let folder: string;
let file: string;
let dynamodb: DynamodbProcess;
let client: DynamoDBClient;
let written = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'auth-service-records-'));
  file = join(folder, 'dynamodb.db');
  await start();
  await createTable(readStack(process.env.TEST_ASSEMBLY ?? '', { tableName }).table, dynamodb.endpoint);
});
afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

async function start(): Promise<void> {
  dynamodb = await startDynamodb({ file, log: console.error, onGiveUp: console.error });
  client = new DynamoDBClient({ endpoint: dynamodb.endpoint, ...localAccess });
}

async function stop(): Promise<void> {
  client.destroy();
  await dynamodb.stop();
}

async function put(items: number): Promise<void> {
  const sortKeys = Array.from({ length: items }, () => `CHANGE#${++written}`);
  while (sortKeys.length > 0) {
    const puts = sortKeys
      .splice(0, 25)
      .map((sk) => ({ PutRequest: { Item: { pk: { S: 'USER#ada' }, sk: { S: sk } } } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: puts } }));
  }
}

/** Polls as one of the trimmer's readers until every written record has been delivered; returns the sort keys. */
async function deliverAll(reader: string, trimmer: StreamTrimmer): Promise<string[]> {
  const seen: string[] = [];
  const invoke = async ({ Records }: { readonly Records: readonly StreamRecord[] }) => {
    for (const { dynamodb: image } of Records)
      seen.push((image as unknown as { Keys: { sk: { S: string } } }).Keys.sk.S);
    return { kind: 'result', json: '{}' } as const;
  };
  const source = { functionId: reader, batchSize: 100, maxAgeSeconds: 60, filters: [] };
  const positionFile = join(folder, `${reader}.json`);
  const options = { endpoint: dynamodb.endpoint, tableName, source, invoke, positionFile, trimmer };
  const poller = await pollStream({ ...options, log: console.error });
  await eventually(async () => seen.at(-1) === `CHANGE#${written}`, Boolean);
  await poller.close();
  return seen;
}

function query(sql: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare(sql).all();
  database.close();
  return rows;
}

const trimmerFor = (readers: number) => new StreamTrimmer({ file, tableName, readers, log: console.error });
const countKept = () => {
  const [row] = query('SELECT COUNT(*) AS records FROM _stream_records') as { records: number }[];
  return row?.records;
};

test('delivered records except the last are deleted, and the stream continues after it, even after a restart', async () => {
  await put(1010);
  expect(await deliverAll('F', trimmerFor(1))).toHaveLength(1010);
  expect(countKept()).toBeGreaterThan(0);
  expect(countKept()).toBeLessThanOrEqual(10 + 1);
  await stop();
  await start();
  await put(3);
  expect(await deliverAll('F', trimmerFor(1))).toEqual(['CHANGE#1011', 'CHANGE#1012', 'CHANGE#1013']);
});

test('records are kept until every reader has processed them', async () => {
  await put(2009);
  const [trimmer, before] = [trimmerFor(2), countKept()];
  expect(await deliverAll('F', trimmer)).toHaveLength(2009);
  expect(countKept()).toBe(before);
  expect((await deliverAll('G', trimmer)).slice(-2009)).toEqual(
    Array.from({ length: 2009 }, (_, at) => `CHANGE#${written - 2008 + at}`),
  );
  expect(countKept()).toBeLessThanOrEqual(10 + 1);
});

test('the last record of a table is found by an index', () => {
  const plan = query(
    "EXPLAIN QUERY PLAN SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 FROM _stream_records WHERE table_name = 'trimmed'",
  );
  expect(JSON.stringify(plan)).toContain('SEARCH _stream_records USING COVERING INDEX local_stream_sequence');
});
