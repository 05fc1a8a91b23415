import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { localAccess } from '../../local/local-access.ts';
import { LocalError } from '../../local/local-error.ts';
import { runStack } from '../../local/run-stack.ts';
import { collectLines } from './collect-lines.ts';
import { writeAssembly } from './write-assembly.ts';

let dynamodb: DynamodbProcess;
beforeAll(async () => {
  dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
});
afterAll(() => dynamodb.stop());

const root = Buffer.alloc(32, 7).toString('base64');
const echo =
  'exports.handler = async (event) => ({ route: event.routeKey, ...event.pathParameters, env: process.env });';

test('serves the routes of a template with its functions and its table', async () => {
  const assembly = await writeAssembly({
    'GET /users/{userId}/access': echo,
    $default: 'exports.handler = async () => ({ statusCode: 404 });',
  });
  const { log, until } = collectLines();
  const stack = await runStack({ assembly, dynamodb: dynamodb.endpoint, tableName: 'one', root, log });
  const answer = await fetch(`${stack.url}/users/ada/access`);
  expect(await answer.json()).toMatchObject({
    route: 'GET /users/{userId}/access',
    userId: 'ada',
    env: { TABLE_NAME: 'one', ROOT_KEYS: `k1=local:${root}`, AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint },
  });
  expect((await fetch(`${stack.url}/elsewhere`)).status).toBe(404);
  await until(/^GET \/elsewhere 404 \d+ ms$/);
  expect(stack).toMatchObject({ tableName: 'one', endpoint: dynamodb.endpoint, rootKeys: `k1=local:${root}` });
  await stack.close();
  await expect(fetch(stack.url)).rejects.toThrow();
});

test('runs side by side with others on one DynamoDB, each with a table of its own', async () => {
  const assembly = await writeAssembly({ 'GET /a': echo });
  const start = (tableName: string) => runStack({ assembly, dynamodb: dynamodb.endpoint, tableName, root });
  const stacks = await Promise.all([start('left'), start('right')]);
  const client = new DynamoDBClient({ endpoint: dynamodb.endpoint, ...localAccess });
  const { TableNames } = await client.send(new ListTablesCommand({}));
  expect(TableNames).toEqual(expect.arrayContaining(['left', 'right']));
  await Promise.all(stacks.map((stack) => stack.close()));
});

test('says which port is taken and leaves nothing running', async () => {
  const assembly = await writeAssembly({ 'GET /a': echo });
  const options = { assembly, dynamodb: dynamodb.endpoint, tableName: 'taken', root };
  const first = await runStack(options);
  const second = runStack({ ...options, port: Number(new URL(first.url).port) });
  await expect(second).rejects.toThrow(LocalError);
  await first.close();
});
