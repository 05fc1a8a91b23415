import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { GuardedData, GuardRequest } from '../../lib/releases/guarded-data.ts';
import { imitateAws } from './imitated-account.ts';
import { statementsOf } from './role-permissions.ts';
import { onlyResource, resourcesOf, synthesizeTemplate } from './synthesized-stack.ts';

const { account, asked, url } = imitateAws();
const own = { table: 'own', replicaRegions: ['eu-west-1'], rootKeys: ['k1', 'k2'] };
const restored = 'arn:aws:dynamodb:eu-central-1:123456789012:table/AuthService-prod-B/stream/2026-11-20T19:14:11.123';
const properties = (data: object = own, others: Partial<GuardedData> = {}): GuardedData => ({
  DataSettings: JSON.stringify(data),
  Outputs: 'OidcClientId',
  Table: 'TableItems1',
  RootKeys: 'RootKeyK1A=k1,RootKeyK2B=k2',
  Confirmed: '',
  ...others,
});

/** What CloudFormation is answered at the signed address. */
let answers: { readonly type: string | undefined; readonly body: Readonly<Record<string, string>> }[] = [];
let addressStatus = 200;
const cloudFormation = createServer(async (request, response) => {
  answers.push({ type: request.headers['content-type'], body: (await json(request)) as Record<string, string> });
  response.writeHead(addressStatus).end();
});
let handler: (request: GuardRequest) => Promise<void>;
beforeAll(async () => {
  await new Promise<void>((resolve) => cloudFormation.listen(0, '127.0.0.1', resolve));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: url(),
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  ({ handler } = await import('../../functions/guard-data.ts'));
});
afterAll(() => void cloudFormation.close());
beforeEach(() => {
  answers = [];
  addressStatus = 200;
  Object.assign(account, { outputs: undefined, resources: {}, tables: undefined, status: 'UPDATE_IN_PROGRESS' });
});

async function ask(request: Partial<GuardRequest>): Promise<string> {
  await handler({
    RequestType: 'Create',
    ResponseURL: `http://127.0.0.1:${(cloudFormation.address() as AddressInfo).port}/answer?X-Amz-Signature=1`,
    StackId: 'arn:aws:cloudformation:eu-central-1:111122223333:stack/AuthService-prod/1a2b',
    RequestId: 'r1',
    ResourceType: 'Custom::DataGuard',
    LogicalResourceId: 'DataGuardData1',
    ResourceProperties: properties(),
    ...request,
  });
  const { Status, Reason = '', ...ids } = answers.at(-1)?.body ?? {};
  expect(ids).toEqual({
    PhysicalResourceId: 'data',
    StackId: 'arn:aws:cloudformation:eu-central-1:111122223333:stack/AuthService-prod/1a2b',
    RequestId: 'r1',
    LogicalResourceId: 'DataGuardData1',
  });
  expect(Status).toBe(Reason === '' ? 'SUCCESS' : 'FAILED');
  return Reason;
}

const update = (planned: GuardedData, deployed = properties()) =>
  ask({ RequestType: 'Update', ResourceProperties: planned, OldResourceProperties: deployed });

describe('a deployment of a stack that has data', () => {
  const losing: [string, string, GuardedData][] = [
    ['table', 'The table would change from own to arn:aws:dynamodb', properties({ ...own, table: restored })],
    ['replicaRegions', 'copy of the table in eu-west-1 would be deleted', properties({ ...own, replicaRegions: [] })],
    [
      'rootKeys',
      'Whatever was derived from the root key k1 would stop working',
      properties({ ...own, rootKeys: ['k2'] }),
    ],
    ['oidcIssuer', 'the stack would leave its user pool', properties(own, { Outputs: '' })],
  ];
  test.each(losing)(
    'is refused if it would lose something by %s, and not if that is confirmed',
    async (setting, text, planned) => {
      const reason = await update(planned);
      expect(reason).toContain(text);
      expect(reason).toMatch(new RegExp(`repeat the deployment with -c auth-service:confirm-change=${setting}$`));
      expect(await update({ ...planned, Confirmed: 'webhooks' })).toBe(reason);
      expect(await update({ ...planned, Confirmed: `webhooks,${setting}` })).toBe('');
    },
  );

  test('names everything that it would lose at once', async () => {
    const planned = properties({ ...own, rootKeys: ['k2'], replicaRegions: [] }, { Outputs: '' });
    expect(await update(planned)).toMatch(
      /eu-west-1.*k1.*user pool.*confirm-change=replicaRegions,rootKeys,oidcIssuer$/,
    );
  });

  test('may add a copy, a root key and a signing key', async () => {
    const planned = { ...own, replicaRegions: ['eu-west-1', 'eu-north-1'], rootKeys: ['k1', 'k2', 'k3'] };
    expect(await update(properties(planned, { Outputs: 'OidcClientId,EventKeyArn' }))).toBe('');
  });

  test('may return to what was deployed before, when CloudFormation rolls it back', async () => {
    const more = properties({ ...own, rootKeys: ['k1', 'k2', 'k3'] });
    account.outputs = {};
    expect(await update(properties(), more)).toContain('root key k3');
    account.status = 'UPDATE_ROLLBACK_IN_PROGRESS';
    expect(await update(properties(), more)).toBe('');
  });

  test('is compared with the outputs if the stack had no guard yet', async () => {
    account.outputs = { DataSettings: JSON.stringify(own), OidcClientId: 'a' };
    expect(await ask({})).toBe('');
    expect(await ask({ ResourceProperties: properties({ ...own, rootKeys: ['k2'] }) })).toContain('root key k1');
  });

  test('is refused if that cannot be read', async () => {
    account.tables = undefined;
    expect(await ask({})).toMatch(/^Cannot tell what this deployment would lose: .*dynamodb:ListTables/);
  });

  test('may be deleted', async () => {
    expect(await ask({ RequestType: 'Delete' })).toBe('');
  });
});

describe('a deployment of a new stack', () => {
  test('is refused beside the table of an earlier one, unless the stack has imported it or that is confirmed', async () => {
    account.tables = ['AuthService-prod-TableItems1-A', 'AuthService-staging-TableItems1-B'];
    expect(await ask({})).toMatch(
      /left the table AuthService-prod-TableItems1-A, and .*--adopt.*confirm-change=table$/,
    );
    expect(await ask({ ResourceProperties: properties(own, { Confirmed: 'table' }) })).toBe('');
    account.outputs = {};
    account.resources = { TableItems1: 'AuthService-prod-TableItems1-A' };
    expect(await ask({})).toBe('');
  });

  test('reads nothing in a stage that keeps no data', async () => {
    expect(await ask({ ResourceProperties: properties(own, { Table: '', RootKeys: '' }) })).toBe('');
  });

  test('is refused if it uses an earlier table with new root keys', async () => {
    const planned = properties({ ...own, table: restored }, { Table: '' });
    expect(await ask({ ResourceProperties: planned })).toMatch(/root key k1 would be a new one.*root key k2/);
    account.outputs = {};
    account.resources = { RootKeyK1A: 'mrk-1', RootKeyK2B: 'mrk-2' };
    expect(await ask({ ResourceProperties: planned })).toBe('');
  });
});

test('the answer has no content type, as its address is signed, and is repeated if it does not arrive', async () => {
  await ask({ RequestType: 'Delete' });
  expect(answers[0]?.type ?? '').toBe('');
  addressStatus = 503;
  await expect(ask({ RequestType: 'Delete' })).rejects.toThrow('has answered 503');
});

test('the function asks for what its role may do, and nothing else', async () => {
  const statements = statementsOf(await synthesizeTemplate({ stage: 'prod' }), 'guard-data');
  const actions = statements.flatMap(({ Action }) => [Action].flat()).filter((action) => !action.startsWith('logs:'));
  expect(actions.toSorted()).toEqual([...asked].toSorted());
});

describe('in the template', () => {
  test.each(['dev', 'prod'])('everything with data waits for the comparison, in %s', async (stage) => {
    const template = await synthesizeTemplate({ stage });
    const [guard] = onlyResource(template, 'Custom::DataGuard');
    const types = ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::Cognito::UserPool'];
    const data = types.flatMap((type) => [...resourcesOf(template, type).values()]);
    expect(data.length).toBeGreaterThan(2);
    for (const { DependsOn } of data) expect([DependsOn].flat()).toContain(guard);
  });

  test('it has what the outputs have', async () => {
    const template = await synthesizeTemplate({ stage: 'prod', webhooks: 'set', rootKeys: 'k1,k2' });
    const [, { Properties }] = onlyResource(template, 'Custom::DataGuard');
    expect(Properties).toMatchObject({
      DataSettings: template.Outputs.DataSettings?.Value,
      Outputs: 'OidcClientId,EventKeyArn',
      Confirmed: '',
      ServiceTimeout: '300',
    });
    expect(template.Resources).toHaveProperty(String(Properties.Table));
    const keys = String(Properties.RootKeys)
      .split(',')
      .map((entry) => entry.split('='));
    expect(keys.map(([, version]) => version)).toEqual(['k1', 'k2', 'h1', 'c1', 'w1']);
    for (const [id = ''] of keys) expect(template.Resources).toHaveProperty(id);
  });

  test('a stage that keeps no data looks for none, and what is confirmed is in it', async () => {
    const template = await synthesizeTemplate({ 'auth-service:confirm-change': 'table,webhooks' });
    const [, { Properties }] = onlyResource(template, 'Custom::DataGuard');
    expect(Properties).toMatchObject({ Table: '', RootKeys: '', Confirmed: 'table,webhooks' });
    expect(JSON.stringify(template)).not.toContain('dynamodb:ListTables');
    await expect(synthesizeTemplate({ 'auth-service:confirm-change': 'everything' })).rejects.toThrow(/takes table, /);
  });
});
