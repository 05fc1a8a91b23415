import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTable } from '../../local/create-table.ts';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import type { Outcome } from '../../local/lambda-function.ts';
import { localAccess } from '../../local/local-credentials.ts';
import { pollStream, type StreamPoller } from '../../local/poll-stream.ts';
import { readStack } from '../../local/read-stack.ts';
import { eventually } from '../support/eventually.ts';

type Invoke = (sortKeys: readonly string[], sequenceNumbers: readonly string[]) => unknown;

let dynamodb: DynamodbProcess;
let client: DynamoDBClient;
let folder: string;
let tableName: string;
let tables = 0;
const pollers: StreamPoller[] = [];
beforeAll(async () => {
  dynamodb = await startDynamodb({ log: console.error, onGiveUp: console.error });
  client = new DynamoDBClient({ endpoint: dynamodb.endpoint, ...localAccess });
  folder = await mkdtemp(join(tmpdir(), 'auth-service-stream-'));
});
afterAll(async () => {
  client.destroy();
  await dynamodb.stop();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  tableName = `table-${++tables}`;
  const { table } = readStack(process.env.TEST_ASSEMBLY ?? '', { tableName });
  await createTable(table, dynamodb.endpoint);
});
afterEach(async () => {
  for (const poller of pollers.splice(0)) await poller.close();
});

async function put(...sortKeys: readonly string[]): Promise<void> {
  for (const sk of sortKeys) {
    await client.send(new PutItemCommand({ TableName: tableName, Item: { pk: { S: 'USER#ada' }, sk: { S: sk } } }));
  }
}

interface Polling {
  readonly invoke: Invoke;
  readonly batchSize?: number;
  readonly maxAgeSeconds?: number;
  readonly positionFile?: string;
  readonly log?: (line: string) => void;
}

/** Delivers Changes to a function that returns what the test says; `failed` means that it threw. */
async function poll({ invoke, batchSize = 100, maxAgeSeconds = 60, ...options }: Polling): Promise<StreamPoller> {
  const poller = await pollStream({
    ...options,
    endpoint: dynamodb.endpoint,
    tableName,
    source: {
      functionId: 'F',
      batchSize,
      maxAgeSeconds,
      filters: [{ eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'CHANGE#' }] } } } }],
    },
    invoke: async ({ Records }): Promise<Outcome> => {
      const images = Records.map(({ dynamodb: image }) => image as unknown as { Keys: { sk: { S: string } } });
      const answer = invoke(
        images.map(({ Keys }) => Keys.sk.S),
        Records.map(({ dynamodb: image }) => image.SequenceNumber),
      );
      return answer === 'failed' ? { kind: 'failed' } : { kind: 'result', json: JSON.stringify(answer) };
    },
  });
  pollers.push(poller);
  return poller;
}

const waitFor = (isIt: () => boolean) => eventually(async () => isIt(), Boolean);
const done = { batchItemFailures: [] };

const taking =
  (seen: string[], answer: unknown = done): Invoke =>
  (keys) => {
    seen.push(...keys);
    return answer;
  };

describe('the poller of the stream', () => {
  test('delivers matching records in order and once, including those written before it started', async () => {
    await put('CHANGE#1', 'ROLE#1', 'CHANGE#2');
    const seen: string[] = [];
    await poll({ invoke: taking(seen) });
    await put('CHANGE#1', 'CHANGE#3');
    expect(await waitFor(() => seen.length >= 3)).toBe(true);
    expect(seen).toEqual(['CHANGE#1', 'CHANGE#2', 'CHANGE#3']);
  });

  test('delivers at most one batch at a time', async () => {
    await put('CHANGE#1', 'CHANGE#2', 'CHANGE#3', 'CHANGE#4', 'CHANGE#5');
    const batches: (readonly string[])[] = [];
    await poll({
      batchSize: 2,
      invoke: (keys) => {
        batches.push(keys);
        return done;
      },
    });
    expect(await waitFor(() => batches.flat().length === 5)).toBe(true);
    expect(batches.map(({ length }) => length)).toEqual([2, 2, 1]);
  });

  test('retries from the first failed record with half the batch', async () => {
    await put('CHANGE#1', 'CHANGE#2', 'CHANGE#3', 'CHANGE#4', 'CHANGE#5', 'CHANGE#6');
    const batches: string[] = [];
    await poll({
      invoke: (keys, numbers) => {
        batches.push(keys.map((key) => key.slice('CHANGE#'.length)).join(''));
        const failed = batches.length === 1 ? [numbers[4], numbers[1]] : [];
        return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
      },
    });
    expect(await waitFor(() => batches.join('').endsWith('6') && batches.length > 1)).toBe(true);
    expect(batches).toEqual(['123456', '23', '456']);
  });

  test.each([
    ['throws', 'failed'],
    ['returns an id that is not in the batch', { batchItemFailures: [{ itemIdentifier: '0' }] }],
    ['returns an empty id', { batchItemFailures: [{ itemIdentifier: '' }] }],
    ['returns no id', { batchItemFailures: [{ itemIdentifier: null }] }],
    ['returns an invalid response', { batchItemFailures: 'all' }],
  ])('delivers the whole batch again when the function %s', async (_, answer) => {
    await put('CHANGE#1', 'CHANGE#2');
    const batches: (readonly string[])[] = [];
    await poll({ invoke: (keys) => (batches.push(keys) === 1 ? answer : done) });
    expect(await waitFor(() => batches.length === 3)).toBe(true);
    expect(batches).toEqual([['CHANGE#1', 'CHANGE#2'], ['CHANGE#1'], ['CHANGE#2']]);
  });

  test.each([null, {}, { batchItemFailures: null }])('treats %j as success', async (answer) => {
    await put('CHANGE#1');
    const seen: string[] = [];
    await poll({ invoke: taking(seen, answer) });
    await put('CHANGE#2');
    expect(await waitFor(() => seen.includes('CHANGE#2'))).toBe(true);
    expect(seen).toEqual(['CHANGE#1', 'CHANGE#2']);
  });

  test('drops records that are too old, and logs it', async () => {
    await put('CHANGE#1');
    const lines: string[] = [];
    await poll({ invoke: () => 'failed', maxAgeSeconds: 1, log: (line) => lines.push(line) });
    expect(await waitFor(() => lines.length > 0)).toBe(true);
    expect(lines).toEqual(['Changes dropped because they were too old for F: 1.']);
  });

  test('resumes at its saved position in a later run, and restarts for another table', async () => {
    const positionFile = join(folder, 'position.json');
    const seen: string[] = [];
    const invoke = taking(seen);
    await put('CHANGE#1');
    const first = await poll({ invoke, positionFile });
    expect(await waitFor(() => seen.length === 1)).toBe(true);
    await first.close();
    await put('CHANGE#2');
    await poll({ invoke, positionFile });
    expect(await waitFor(() => seen.length === 2)).toBe(true);
    expect(seen).toEqual(['CHANGE#1', 'CHANGE#2']);
    const kept = JSON.parse(await readFile(positionFile, 'utf8'));
    expect(Object.keys(kept)).toEqual(['streamArn', 'positions']);
  });
});
