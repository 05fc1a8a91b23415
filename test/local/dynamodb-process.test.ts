import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type DynamodbOptions, findEmulator, startDynamodb } from '../../local/dynamodb-process.ts';
import { localAccess } from '../../local/local-credentials.ts';
import { LocalError } from '../../local/local-error.ts';
import { collectLines } from './collect-lines.ts';
import { makeFolder } from './write-assembly.ts';

let stop = async () => {};
afterEach(() => stop());

async function start(given: Partial<DynamodbOptions> = {}) {
  const dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined, ...given });
  stop = dynamodb.stop;
  return { dynamodb, client: new DynamoDBClient({ endpoint: dynamodb.endpoint, ...localAccess }) };
}

const createItems = new CreateTableCommand({
  TableName: 'items',
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
});

function kill(pid: number | undefined): void {
  if (pid === undefined) throw new Error('The emulator is not running');
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has just exited, and this process has not been notified yet.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

const answers = (endpoint: string) =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );

/** Resolves when the endpoint answers, or no longer answers. */
async function until(endpoint: string, expected: 'answers' | 'silent'): Promise<void> {
  while ((await answers(endpoint)) !== (expected === 'answers')) await pause(5);
}

// There is none for this machine: a table in memory takes its place.
const describeEmulator = findEmulator() === undefined ? describe.skip : describe;

describeEmulator('the emulator', () => {
  test('answers on 127.0.0.1 from start to stop', async () => {
    const { dynamodb, client } = await start();
    expect(dynamodb.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual([]);
    await dynamodb.stop();
    await expect(fetch(dynamodb.endpoint)).rejects.toThrow();
  });

  test('restarts at the same endpoint with the same data after a crash', async () => {
    const lines = collectLines();
    const { dynamodb, client } = await start({ file: join(await makeFolder(), 'data', 'dynamodb.db'), log: lines.log });
    await client.send(createItems);
    await client.send(new PutItemCommand({ TableName: 'items', Item: { pk: { S: 'kept' } } }));
    kill(dynamodb.pid());
    await lines.until(/exited unexpectedly/);
    await until(dynamodb.endpoint, 'answers');
    const { Item } = await client.send(new GetItemCommand({ TableName: 'items', Key: { pk: { S: 'kept' } } }));
    expect(Item).toEqual({ pk: { S: 'kept' } });
  });

  test('is not restarted after repeated crashes', async () => {
    const givenUp = Promise.withResolvers<LocalError>();
    const { dynamodb } = await start({ onGiveUp: givenUp.resolve });
    const killer = setInterval(() => dynamodb.pid() && kill(dynamodb.pid()), 20);
    const error = await givenUp.promise;
    clearInterval(killer);
    expect(error.message).toMatch(/^DynamoDB crashed 3 times within 10 s/);
  });

  test('reports why it cannot use its file', async () => {
    const starting = start({ file: await makeFolder() });
    await expect(starting).rejects.toThrow(LocalError);
    await expect(starting).rejects.toThrow(/crashed 3 times.* (unable|open|directory)/i);
  });

  test.each([
    ['is killed', "setInterval(() => process.kill(process.pid, 'SIGKILL'), 200)"],
    ['has no more work', ''],
  ])('does not outlive a process that %s', async (_, ending) => {
    const script = `
      import { startDynamodb } from './local/dynamodb-process.ts';
      const { endpoint } = await startDynamodb({ log: console.log, onGiveUp: console.log });
      console.log(endpoint, (await fetch(endpoint)).status);
      ${ending}`;
    const args = ['--input-type=module-typescript', '--eval', script];
    const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface(parent.stdout), 'line');
    const [endpoint, status] = line.split(' ');
    expect(status).toBe('200');
    await until(endpoint, 'silent');
  });
});
