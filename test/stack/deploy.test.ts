import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type DataSettings, dataSettingsOf, lossesOf, transitionsOf } from '../../lib/releases/data-settings.ts';
import { ownData as own, prepareDeployCommand } from './deploy-command.ts';
import { synthesizeTemplate } from './synthesized-stack.ts';

const { folder, account, asked, deploy } = prepareDeployCommand();
const ownTable = 'arn:aws:dynamodb:eu-central-1:123456789012:table/AuthService-prod-Items';
const restored = `${ownTable}-restored`;
const restoredStream = `${restored}/stream/2026-11-20T19:14:11.123`;

test('a deployment receives what was compared, and the options of cdk deploy', async () => {
  account.outputs = { DataSettings: JSON.stringify(own) };
  const { code, calls } = await deploy(own, [
    '-c',
    'stage=prod',
    '--context=region=eu-central-1',
    '--outputs-file',
    'x',
  ]);
  expect(code).toBe(0);
  expect(calls).toEqual([
    `synth --quiet --output ${folder} --context stage=prod --context region=eu-central-1`,
    `deploy --app ${folder} --outputs-file x`,
  ]);
});

test('a deployment is synthesized with the quota of the account, if that is not the default', async () => {
  account.outputs = { DataSettings: JSON.stringify(own) };
  account.quota = 1000;
  expect((await deploy(own, ['-c', 'stage=prod'])).calls).toHaveLength(2);
  account.quota = 50;
  const { calls, stderr } = await deploy(own, ['-c', 'stage=prod']);
  account.quota = undefined;
  expect(calls).toEqual([
    `synth --quiet --output ${folder} --context stage=prod`,
    `synth --quiet --output ${folder} --context stage=prod --context auth-service:account-concurrency=50`,
    `deploy --app ${folder}`,
  ]);
  expect(stderr).toBe('');
});

test('a deployment that may not read the quota says so, and goes on', async () => {
  account.outputs = { DataSettings: JSON.stringify(own) };
  const { code, stderr } = await deploy(own);
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /quota of concurrent executions is unknown.*Allow lambda:GetAccountSettings.*is not authorized/,
  );
});

describe('a log group that the deployment would delete', () => {
  const name = 'AuthService-prod-ServiceApiGetAccessLogB2605F30-1A2B';
  const fn = { ServiceApiGetAccessFunction5937C8AA: { Type: 'AWS::Lambda::Function' } };
  beforeEach(() => {
    account.outputs = { DataSettings: JSON.stringify(own) };
    account.resources = { ServiceApiGetAccessLogB2605F30: name };
    account.protectedLogs = [];
  });
  afterAll(() => {
    account.resources = {};
    account.protectedLogs = [];
  });

  test('is refused while its function stays, and with the option allowed', async () => {
    const { code, stderr } = await deploy(own, [], fn);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `1 log groups with their events, such as ${name}. npm run -s keep-logs -- prod keeps them`,
    );
    expect((await deploy(own, ['--confirm-change', 'logs'], fn)).code).toBe(0);
  });

  test('is allowed if it is protected, if it stays, and with its function', async () => {
    expect((await deploy(own)).code).toBe(0);
    const log = { ServiceApiGetAccessLogB2605F30: { Type: 'AWS::Logs::LogGroup' } };
    expect((await deploy(own, [], { ...fn, ...log })).code).toBe(0);
    account.protectedLogs = [name];
    expect((await deploy(own, [], fn)).code).toBe(0);
  });
});

describe('a stage that belongs to an account', () => {
  const ofAccount = (id: string) =>
    `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Account>${id}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`;
  beforeEach(() => {
    account.outputs = { DataSettings: JSON.stringify(own) };
    account.environment = 'aws://111122223333/eu-central-1';
  });
  afterAll(() => {
    account.environment = 'aws://unknown-account/eu-central-1';
  });

  test('is deployed with credentials of that account', async () => {
    account.identity = ofAccount('111122223333');
    expect(await deploy(own)).toMatchObject({ code: 0, calls: [expect.any(String), expect.stringMatching(/^deploy/)] });
  });

  test('is not deployed with credentials of another account', async () => {
    account.identity = ofAccount('444455556666');
    const { code, calls, stderr } = await deploy(own);
    expect([code, calls]).toEqual([1, [`synth --quiet --output ${folder}`]]);
    expect(stderr).toContain(
      'AuthService-prod belongs to the account 111122223333 (accounts in cdk.json), but the credentials are of 444455556666',
    );
  });

  test.each(['AccessDenied', ofAccount('')])('is not deployed if STS answers %j', async (answer) => {
    account.identity = answer;
    expect(await deploy(own)).toMatchObject({ code: 1, calls: [expect.stringMatching(/^synth/)] });
  });
});

test('a stack that lost its table, a copy or a root key is not deployed', async () => {
  account.outputs = { DataSettings: JSON.stringify({ ...own, table: restoredStream }) };
  const { code, calls, stderr } = await deploy({ table: 'own', replicaRegions: [], rootKeys: ['k1'] });
  expect([code, calls]).toEqual([1, [`synth --quiet --output ${folder}`]]);
  expect(stderr).toContain(`The table would change from ${restored} to own`);
  expect(stderr).toContain('The copy of the table in eu-west-1 would be deleted');
  expect(stderr).toContain('Whatever was derived from the root key k2 would stop working');
  expect(stderr).toContain('add --confirm-change rootKeys');
});

test('a loss is accepted only by the name of its setting', async () => {
  account.outputs = { DataSettings: JSON.stringify(own) };
  const planned = { ...own, replicaRegions: [], rootKeys: ['k2'] };
  expect(await deploy(planned, ['--confirm-change', 'rootKeys'])).toMatchObject({ code: 1 });
  const both = await deploy(planned, ['--confirm-change', 'rootKeys', '--confirm-change=replicaRegions', '--verbose']);
  expect(both).toMatchObject({ code: 0 });
});

describe('what a stack has only with a setting', () => {
  const kept = {
    oidcIssuer: 'OidcClientId',
    headsBucket: 'HeadsKeyArn',
    webhooks: 'EventKeyArn',
    login: 'LoginIssuer',
  };
  beforeEach(() => {
    const outputs = Object.values(kept).map((name) => [name, `the ${name}`]);
    account.outputs = { ...Object.fromEntries(outputs), DataSettings: JSON.stringify(own) };
    account.plannedOutputs = Object.values(kept);
  });
  afterAll(() => {
    account.plannedOutputs = [];
  });

  test.each([
    ['oidcIssuer', 'The operators could no longer log in: the stack would leave its user pool'],
    ['headsBucket', 'The heads would no longer be signed'],
    ['webhooks', 'Security events would no longer be signed'],
    ['login', 'People could no longer log in'],
  ] as const)('is not left out by the setting %s, unless the setting is named', async (setting, text) => {
    account.plannedOutputs = Object.values(kept).filter((name) => name !== kept[setting]);
    const { code, calls, stderr } = await deploy(own, ['-c', 'stage=prod']);
    expect([code, calls]).toEqual([1, [expect.stringMatching(/^synth/)]]);
    expect(stderr).toContain(text);
    expect(stderr).toContain(`add --confirm-change ${setting}`);
    expect(await deploy(own, ['--confirm-change', setting])).toMatchObject({ code: 0 });
  });

  test('is kept by a deployment that has it, and can be added', async () => {
    expect(await deploy(own)).toMatchObject({ code: 0 });
    account.outputs = { DataSettings: JSON.stringify(own) };
    expect(await deploy(own)).toMatchObject({ code: 0 });
  });

  test('is named by an output of the stack, which it has only then', async () => {
    const [full, lean] = await Promise.all([
      synthesizeTemplate({
        stage: 'prod',
        webhooks: 'standard,set',
        login: 'on',
        headsBucket: 'authservice-backupvault-headsbucket-1a2b3c',
      }),
      synthesizeTemplate({ stage: 'prod', oidcIssuer: 'https://login.example.com/', oidcAudience: 'auth-service' }),
    ]);
    for (const name of Object.values(kept)) {
      expect(full.Outputs).toHaveProperty(name);
      expect(lean.Outputs).not.toHaveProperty(name);
    }
  });
});

test('the role of the pipeline, as the page creates it, may ask all that a deployment asks CloudFormation', async () => {
  account.outputs = { DataSettings: JSON.stringify(own) };
  asked.clear();
  expect(await deploy(own)).toMatchObject({ code: 0 });
  const operations = [...asked].filter((operation) => operation.startsWith('cloudformation:'));
  expect(operations).toContain('cloudformation:DescribeStacks');
  const page = readFileSync(join(import.meta.dirname, '../../docs/operate/releases.md'), 'utf8');
  expect(operations.filter((operation) => !page.includes(`"${operation}"`))).toEqual([]);
});

describe('the bootstrap', () => {
  const boundary = { 'Fn::Sub': 'arn:aws:iam::1:policy/cdk-authprod-boundary-1' };
  const own = { Role: { Type: 'AWS::IAM::Role', Properties: { PermissionsBoundary: boundary } } };
  const data = { table: 'own', replicaRegions: [], rootKeys: ['k1'] };
  beforeEach(() => {
    account.outputs = { DataSettings: JSON.stringify(data) };
  });
  afterEach(() => {
    account.bootstrap = 'AWS CDK: Default Resources';
  });

  test('is named with its command if it is missing, before anything is deployed', async () => {
    account.bootstrap = undefined;
    const standard = await deploy(data);
    expect([standard.code, standard.calls]).toEqual([1, [`synth --quiet --output ${folder}`]]);
    expect(standard.stderr).toMatch(/bootstrap authprod is missing.*npx cdk bootstrap aws:\S+ --qualifier authprod/);
    expect((await deploy(data, [], own)).stderr).toMatch(/npm run bootstrap -- aws:\S+\/eu-central-1 -c stage=prod/);
  });

  test('of another stage is named too', async () => {
    account.bootstrap = 'auth-service: staging';
    const foreign = await deploy(data, [], own);
    expect([foreign.code, foreign.calls.length]).toEqual([1, 1]);
    expect(foreign.stderr).toMatch(/is "auth-service: staging", whose roles cannot deploy AuthService-prod/);
    expect(await deploy(data)).toMatchObject({ code: 0 });
    account.bootstrap = 'auth-service: prod';
    expect(await deploy(data, [], own)).toMatchObject({ code: 0 });
  });
});

test('a different table takes two deployments, so that the functions may use both in between', async () => {
  account.outputs = { DataSettings: JSON.stringify(own), TableName: 'AuthService-prod-Items' };
  const { calls } = await deploy({ ...own, table: restoredStream }, ['--confirm-change', 'table', '--verbose']);
  const rootKeys = [{ name: 'k1' }, { name: 'k2' }];
  const deployed = { replicaRegions: ['eu-west-1'], tableArn: ownTable, rootKeys, sharedRoots: true };
  // What is confirmed is confirmed to the guard of the stack too.
  const synthesis = `synth --quiet --output ${folder} --context auth-service:confirm-change=table`;
  const [first, ...others] = ['widen', 'release'].flatMap((step) => [
    `${synthesis} --context auth-service:transition=${JSON.stringify({ step, deployed })}`,
    `deploy --app ${folder} --verbose`,
  ]);
  expect(calls).toEqual([synthesis, first, ...others]);
});

test.each<[string, Partial<DataSettings>, string[]]>([
  ['the same data', {}, []],
  ['a new stream of the same table', { table: `${restored}/stream/2026-11-21T10:00:00.000` }, []],
  ['another table', { table: `${ownTable}-2/stream/2026-11-20T19:14:11.123` }, ['widen', 'release']],
  ['an empty table', { table: 'own' }, ['release']],
  ['a further root key', { rootKeys: ['k1', 'k2', 'k3'] }, ['widen', 'release']],
  ['one root key less', { rootKeys: ['k2'] }, ['release']],
  ['the end of shared roots', { sharedRoots: false }, ['release']],
])('%s: the required deployments', (_, planned, steps) => {
  const deployed = { ...own, table: restoredStream };
  expect(transitionsOf(deployed, { ...deployed, ...planned }, ownTable).map(({ step }) => step)).toEqual(steps);
});

test.each([
  ['the first deployment', undefined],
  ['a stack without outputs, whose creation has not begun', {}],
])('%s loses nothing', async (_, deployed) => {
  account.outputs = deployed;
  expect(await deploy(own)).toMatchObject({ code: 0 });
});

test('a deployment stops if CloudFormation cannot be reached', async () => {
  account.outputs = { DataSettings: 'no JSON' };
  expect(await deploy(own)).toMatchObject({ code: 1, calls: [expect.stringMatching(/^synth/)] });
});

test('more copies and more root keys are not a loss, but another source of a root key is', () => {
  expect(lossesOf({ ...own, replicaRegions: [], rootKeys: ['k1'] }, own)).toEqual([]);
  const copied = { ...own, rootKeys: ['k1=arn:aws:kms:…', 'k2'] };
  expect(lossesOf(copied, own).map(({ setting }) => setting)).toEqual(['rootKeys']);
});

test('roots that no longer serve every purpose are a loss, also of a deployment from before there were others', () => {
  const separate = { ...own, sharedRoots: false };
  for (const deployed of [own, { ...own, sharedRoots: true }]) {
    expect(lossesOf(deployed, separate)).toEqual([
      expect.objectContaining({ text: expect.stringContaining('#one-root-for-everything') }),
    ]);
    expect(lossesOf(deployed, { ...own, sharedRoots: true })).toEqual([]);
  }
  expect(lossesOf(separate, separate)).toEqual([]);
});

test('the stack records the settings that its data depends on', async () => {
  const { Outputs } = await synthesizeTemplate({ stage: 'prod' });
  expect(JSON.parse(String(Outputs.DataSettings?.Value))).toEqual({
    table: 'own',
    replicaRegions: [],
    rootKeys: ['k1', 'h1', 'c1', 'w1'],
    sharedRoots: false,
  });
  const primaryArn = 'arn:aws:kms:eu-central-1:123456789012:key/mrk-1234';
  const standby = {
    tableStreamArn: restoredStream,
    replicaRegions: [],
    rootKeys: [{ name: 'k1', primaryArn }],
    sharedRoots: 'on' as const,
  };
  expect(dataSettingsOf(standby)).toEqual({
    table: restoredStream,
    replicaRegions: [],
    rootKeys: [`k1=${primaryArn}`],
    sharedRoots: true,
  });
});
