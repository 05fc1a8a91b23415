import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { findFreePort } from '../../local/listen.ts';
import { createAccessKey, localAccess } from '../../local/local-credentials.ts';
import { LocalError } from '../../local/local-error.ts';
import { runStack } from '../../local/run-stack.ts';
import { createManageClient } from '../support/ask-manage.ts';
import { collectLines } from './collect-lines.ts';
import { authorizer, manageRouteKey, writeAssembly } from './write-assembly.ts';

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
    env: {
      TABLE_NAME: 'one',
      ROOT_KEYS: 'k1=arn:aws:kms:local:000000000000:key/RootKey',
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
    },
  });
  expect((await fetch(`${stack.url}/elsewhere`)).status).toBe(404);
  await until(/^GET \/elsewhere 404 \d+ ms$/);
  expect(stack).toMatchObject({ tableName: 'one', endpoint: dynamodb.endpoint });
  await stack.close();
  await expect(fetch(stack.url)).rejects.toThrow();
});

describe('the Management API', () => {
  const assembly = () =>
    writeAssembly({
      [manageRouteKey]: `exports.handler = async ({ requestContext: { authorizer: { iam, jwt } } }) => ({
        operator: iam?.userArn ?? jwt.claims.email, table: process.env.TABLE_NAME });`,
    });
  const options = async (tableName: string) => ({
    assembly: await assembly(),
    dynamodb: dynamodb.endpoint,
    tableName,
    root,
  });

  test('answers nobody until the stack is ready, except at the address for its set-up', async () => {
    let isReady = false;
    const accessKey = createAccessKey();
    const stack = await runStack({ ...(await options('gate')), accessKey, isReady: () => isReady });
    const statuses = async () => {
      const paths = ['/_local/ready', '/api/manage/users', '/elsewhere'];
      const answers = await Promise.all(paths.map((path) => fetch(stack.url + path)));
      const signed = await createManageClient(stack.manageUrl, accessKey)('GET', '/users');
      return [...answers, signed].map(({ status }) => status);
    };
    expect(await statuses()).toEqual([503, 503, 503, 503]);
    expect((await createManageClient(stack.setupUrl, accessKey)('GET', '/users')).status).toBe(200);
    isReady = true;
    expect(await statuses()).toEqual([200, 401, 404, 200]);
    await stack.close();
  });

  test('answers on the function URL and the HTTP API, and only to authenticated callers', async () => {
    const stack = await runStack(await options('doors'));
    const byUrl = await createManageClient(stack.manageUrl, stack.accessKey)('GET', '/users');
    expect(byUrl).toEqual({ status: 200, body: { operator: 'arn:aws:iam::000000000000:user/local', table: 'doors' } });
    const url = `${stack.url}/api/manage/users`;
    const authorization = `Bearer ${await stack.login?.mintToken()}`;
    const byToken = await fetch(url, { headers: { authorization } });
    expect(await byToken.json()).toEqual({ operator: 'edith@example.com', table: 'doors' });
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(`${stack.manageUrl}/api/manage/users`)).status).toBe(403);
    expect(stack).toMatchObject({ issuer: stack.login?.issuer, audience: 'dashboard' });
    await stack.close();
    for (const closed of [stack.manageUrl, stack.issuer]) await expect(fetch(closed)).rejects.toThrow();
  });

  test('accepts only the given key pair', async () => {
    const accessKey = createAccessKey();
    const stack = await runStack({ ...(await options('pair')), accessKey });
    expect(await createManageClient(stack.manageUrl, accessKey)('GET', '/users')).toMatchObject({ status: 200 });
    expect(await createManageClient(stack.manageUrl, createAccessKey())('GET', '/users')).toMatchObject({
      status: 403,
    });
    await stack.close();
  });

  test('has no development login if the stack names a provider', async () => {
    const other = await writeAssembly({}, { Operators: authorizer('https://login.example/', 'api') });
    const stack = await runStack({ ...(await options('foreign')), assembly: other });
    expect(stack).toMatchObject({ issuer: 'https://login.example/', audience: 'api', login: undefined });
    await stack.close();
  });

  test('requires an authorizer', async () => {
    const open = await writeAssembly({}, { ManageRoute: { Type: 'AWS::CDK::Metadata' } });
    const starting = runStack({ ...(await options('open')), assembly: open });
    await expect(starting).rejects.toThrow('The local run requires a stack with a JWT authorizer.');
  });
});

test('can run concurrently with others on one DynamoDB, each with its own table', async () => {
  const assembly = await writeAssembly({ 'GET /a': echo });
  const start = (tableName: string) => runStack({ assembly, dynamodb: dynamodb.endpoint, tableName, root });
  const stacks = await Promise.all([start('left'), start('right')]);
  const client = new DynamoDBClient({ endpoint: dynamodb.endpoint, ...localAccess });
  const { TableNames } = await client.send(new ListTablesCommand({}));
  expect(TableNames).toEqual(expect.arrayContaining(['left', 'right']));
  await Promise.all(stacks.map((stack) => stack.close()));
});

test.each([
  ['port', 'url', 'PORT'],
  ['managePort', 'manageUrl', 'MANAGE_PORT'],
  ['loginPort', 'issuer', 'OIDC_PORT'],
] as const)('reports that the %s is in use and leaves nothing running', async (option, door, variable) => {
  const assembly = await writeAssembly({ 'GET /a': echo });
  const options = { assembly, dynamodb: dynamodb.endpoint, tableName: 'taken', root };
  const first = await runStack(options);
  const taken = Number(new URL(first[door]).port);
  const free = await findFreePort();
  const [other] = (['port', 'managePort', 'loginPort'] as const).filter((name) => name !== option);
  const second = runStack({ ...options, [option]: taken, ...(other && { [other]: free }) });
  await expect(second).rejects.toThrow(LocalError);
  await expect(second).rejects.toThrow(
    `Port ${taken} is in use: stop the other program, or choose another port, such as ${variable}=`,
  );
  expect(await findFreePort(free)).toBe(free);
  await first.close();
});
