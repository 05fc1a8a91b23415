import { rm } from 'node:fs/promises';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { type RunningStack, runStack } from '../../local/run-stack.ts';
import { policiesOf } from '../stack/role-permissions.ts';
import { functionsOf, referredId, resourcesOf, type Template } from '../stack/synthesized-stack.ts';
import { alterAssembly } from '../support/altered-assembly.ts';
import { createManageClient } from '../support/ask-manage.ts';
import { guardSources } from '../support/guard-sources.ts';
import { type Key, sendSigned } from '../support/send-request.ts';

const assembly = process.env.TEST_ASSEMBLY ?? '';
const root = Buffer.alloc(32, 7).toString('base64');
const tableName = 'policies';
const table = `arn:aws:dynamodb:local:000000000000:table/${tableName}`;
const get = ['GET', '/api/service/users/ada/access'] as const;
const put = ['PUT', '/api/service/users/ada/access'] as const;

let dynamodb: DynamodbProcess;
let key: Key;
let running: RunningStack | undefined;
let folder: string | undefined;
let lines: string[] = [];

beforeAll(async () => {
  dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
  const stack = await start(() => undefined);
  const manage = createManageClient(stack.manageUrl, stack.accessKey);
  await manage('POST', '/applications', { appId: 'crm', name: 'CRM' });
  await manage('PUT', '/users/ada', {});
  key = (await manage('POST', '/applications/crm/keys', { scopes: ['access:read', 'access:write'] })).body as Key;
  await stop();
});
afterEach(stop);
afterAll(() => dynamodb.stop());

/** Runs the stack with an altered template, on the same table. */
async function start(alter: (template: Template) => void): Promise<RunningStack> {
  folder = await alterAssembly(assembly, alter);
  lines = [];
  const log = (line: string) => void lines.push(line);
  running = await runStack({ assembly: folder, dynamodb: dynamodb.endpoint, tableName, root, log });
  return running;
}

async function stop(): Promise<void> {
  await running?.close();
  running = undefined;
  if (folder !== undefined) await rm(folder, { recursive: true });
  folder = undefined;
}

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: object;
}

/** The statements of the role of a function, to be altered. */
function statementsOf(template: Template, name: string): Statement[] {
  const role = referredId(functionsOf(template).get(name)?.Properties.Role);
  const [own] = policiesOf(template).filter(({ Roles }) => referredId(Roles[0]) === role);
  return Object(own?.PolicyDocument).Statement;
}

/** Removes an action from everything that a function may do. */
function forbid(name: string, action: string) {
  return (template: Template) => {
    const role = referredId(functionsOf(template).get(name)?.Properties.Role);
    const policies = policiesOf(template).filter(({ Roles }) => Roles.some((one) => referredId(one) === role));
    for (const statement of policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement as Statement[])) {
      statement.Action = [statement.Action].flat().map((one) => (one === action ? 'dynamodb:None' : one));
    }
  };
}

const refusedAction = () => lines.join('\n').match(/not authorized to perform: (\S+) on resource: [^"\\]*/)?.[0];

describe('a function of the local run may do only what its role allows', () => {
  test('a read needs its permission', async () => {
    const { url } = await start(forbid('get-access', 'dynamodb:BatchGetItem'));
    expect((await sendSigned(url, key, get)).status).toBe(500);
    expect(refusedAction()).toBe(
      `not authorized to perform: dynamodb:BatchGetItem on resource: ${table} because no identity-based policy allows the dynamodb:BatchGetItem action`,
    );
    const other = await sendSigned(url, key, put, { body: { status: 'disabled' } });
    expect(other.status).toBe(200);
  });

  test('a write needs the permission of each entry of its transaction, and nothing is written without one', async () => {
    const { url } = await start(forbid('set-access', 'dynamodb:UpdateItem'));
    expect((await sendSigned(url, key, put, { body: { status: 'enabled' } })).status).toBe(500);
    expect(refusedAction()).toContain('dynamodb:UpdateItem');
    expect((await sendSigned(url, key, get)).body).toMatchObject({ status: 'disabled', version: 1 });
  });

  test('the root key needs its permission', async () => {
    const { url } = await start(forbid('get-access', 'kms:GenerateMac'));
    expect((await sendSigned(url, key, get)).status).toBe(503);
    expect(refusedAction()).toContain('kms:GenerateMac');
  });

  test('the policy of the root key must leave the decision to the policies of roles', async () => {
    const { url } = await start((template) => {
      for (const { Properties } of resourcesOf(template, 'AWS::KMS::Key').values()) {
        Object(Properties.KeyPolicy).Statement = [];
      }
    });
    expect((await sendSigned(url, key, get)).status).toBe(503);
    expect(refusedAction()).toContain('because no resource-based policy allows the kms:GenerateMac action');
  });

  test('an explicit deny overrides its permission', async () => {
    const { url } = await start((template) =>
      statementsOf(template, 'get-access').push({ Effect: 'Deny', Action: 'dynamodb:*', Resource: '*' }),
    );
    expect((await sendSigned(url, key, get)).status).toBe(500);
    expect(refusedAction()).toContain('with an explicit deny in an identity-based policy');
  });
});

test('a handler that a test runs from its sources may do only what its role allows', async () => {
  const guarded = guardSources(assembly, tableName);
  const client = new DynamoDBClient({ endpoint: dynamodb.endpoint });
  const write = () =>
    client.send(new PutItemCommand({ TableName: tableName, Item: { pk: { S: 'a' }, sk: { S: 'a' } } }));
  try {
    await expect(guarded.run('get-access', write)).rejects.toThrow(/not authorized to perform: dynamodb:PutItem/);
    await write();
  } finally {
    await guarded.stop();
  }
  await guarded.run('get-access', write);
  client.destroy();
});

test.each([
  ['a condition operator', { DateLessThan: { 'dynamodb:Select': '2027-01-01' } }, 'DateLessThan'],
  ['a condition key', { StringEquals: { 'aws:PrincipalTag/team': 'a' } }, 'aws:PrincipalTag/team'],
])('%s that cannot be evaluated prevents the start', async (_, Condition, message) => {
  const starting = start((template) =>
    statementsOf(template, 'get-access').push({ Effect: 'Allow', Action: '*', Resource: '*', Condition }),
  );
  await expect(starting).rejects.toThrow(message);
});
