import { beforeEach, describe, expect, test } from '@jest/globals';
import { ownData as own, prepareDeployCommand } from './deploy-command.ts';

const { folder, account, deploy } = prepareDeployCommand();

/** The parts of a template that adopt: with an identifier, or without. */
const table = 'TableItems1';
const key = 'RootKeyK1';
const template = (adopted: Record<string, Record<string, string>> = {}) =>
  Object.fromEntries(
    [
      [table, { Type: 'AWS::DynamoDB::GlobalTable', DeletionPolicy: 'Retain' }],
      [
        key,
        {
          Type: 'AWS::KMS::Key',
          DeletionPolicy: 'Retain',
          Properties: { KeySpec: 'HMAC_256', Description: 'Root, version k1' },
        },
      ],
    ].map(([id, resource]) => [
      id,
      { ...Object(resource), Metadata: adopted[String(id)] && { 'auth-service:adopt': adopted[String(id)] } },
    ]),
  );
const left = { [table]: { TableName: 'AuthService-prod-TableItems1-A' }, [key]: { KeyId: 'mrk-1' } };
const adopting = [
  '-c',
  'stage=prod',
  '--adopt',
  'arn:table',
  '--adopt=prod/k1=arn:key,arn:pool',
  '--outputs-file',
  'x',
];

describe('a new stack', () => {
  beforeEach(() => {
    account.outputs = undefined;
    account.tables = ['AuthService-prod-TableItems1-A', 'AuthService-staging-TableItems1-B', 'Others'];
    account.resources = {};
  });

  test('beside the table of an earlier one is not deployed, unless an empty one is intended', async () => {
    const { code, calls, stderr } = await deploy(own, [], template());
    expect([code, calls]).toEqual([1, [`synth --quiet --output ${folder}`]]);
    expect(stderr).toMatch(
      /An earlier stack left the table AuthService-prod-TableItems1-A,.*--adopt.*add --confirm-change table/,
    );
    expect(stderr).not.toMatch(/staging|Others/);
    expect(await deploy(own, ['--confirm-change', 'table'], template())).toMatchObject({ code: 0 });
  });

  test('is deployed if there is no such table, or if the stage does not keep its data', async () => {
    expect(await deploy(own)).toMatchObject({ code: 0 });
    account.tables = ['AuthService-staging-TableItems1-B'];
    expect(await deploy(own, [], template())).toMatchObject({ code: 0 });
  });

  test('is not deployed if it cannot be known whether there is such a table', async () => {
    account.tables = undefined;
    const { code, stderr } = await deploy(own, [], template());
    expect([code, stderr]).toEqual([1, expect.stringMatching(/Allow dynamodb:ListTables.*is not authorized/)]);
  });

  test('imports what it adopts, then is synthesized and deployed as any other', async () => {
    const options = [...adopting, '--toolkit-stack-name', 'Platform'];
    const { code, calls } = await deploy(own, options, template(left));
    const context = '--context stage=prod';
    expect([code, calls]).toEqual([
      0,
      [
        `synth --quiet --output ${folder} ${context} --context auth-service:adopt=arn:table,prod/k1=arn:key,arn:pool`,
        `import --app ${folder} --force --toolkit-stack-name Platform --resource-mapping-inline ${JSON.stringify(left)}`,
        `synth --quiet --output ${folder} ${context}`,
        `deploy --app ${folder} --outputs-file x --toolkit-stack-name Platform`,
      ],
    ]);
  });

  test('that adopts the table without its root keys is not deployed', async () => {
    const { code, stderr, calls } = await deploy(own, adopting, template({ [table]: left[table] ?? {} }));
    expect([code, calls]).toEqual([1, [expect.stringMatching(/^synth/)]]);
    expect(stderr).toContain('The root key k1 would be a new one, under which nothing earlier is valid');
  });

  test('over an earlier table that a setting names is not deployed without the earlier root keys', async () => {
    const restored = { ...own, table: 'arn:aws:dynamodb:…:table/AuthService-prod-A-restored/stream/1' };
    const keys = { [key]: template()[key] };
    const { code, stderr } = await deploy(restored, [], keys);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/root key k1 would be a new one.*--confirm-change rootKeys/),
    ]);
    expect(await deploy(restored, ['--confirm-change', 'rootKeys'], keys)).toMatchObject({ code: 0 });
    // A standby copies the keys of another Region; a stage that keeps no data has left none.
    expect(await deploy(restored, [], { [key]: { ...keys[key], Type: 'AWS::KMS::ReplicaKey' } })).toMatchObject({
      code: 0,
    });
    expect(await deploy(restored, [], { [key]: { ...keys[key], DeletionPolicy: 'Delete' } })).toMatchObject({
      code: 0,
    });
  });

  test('that has imported, but was not deployed, imports only the rest, and needs no --adopt any more', async () => {
    account.outputs = {};
    account.resources = { [table]: 'AuthService-prod-TableItems1-A' };
    const PermissionsBoundary = 'arn:aws:iam::1:policy/cdk-authprod-boundary-1';
    const role = { Type: 'AWS::IAM::Role', Properties: { PermissionsBoundary } };
    account.bootstrap = 'auth-service: prod';
    const { calls } = await deploy(own, adopting, { ...template(left), role });
    expect(calls[1]).toBe(
      `import --app ${folder} --force --toolkit-stack-name CDKToolkit-authprod --resource-mapping-inline ${JSON.stringify({ [key]: left[key] })}`,
    );
    account.resources = { ...account.resources, [key]: 'mrk-1' };
    expect((await deploy(own, adopting, template(left))).calls.map((call) => call.split(' ')[0])).toEqual([
      'synth',
      'synth',
      'deploy',
    ]);
    expect(await deploy(own, [], template())).toMatchObject({ code: 0 });
  });

  test('whose creation failed does not have what it left', async () => {
    account.outputs = {};
    account.resources = { [table]: 'AuthService-prod-TableItems1-A DELETE_SKIPPED' };
    expect(await deploy(own, [], template())).toMatchObject({ code: 1 });
  });
});

test('a stack with another table cannot adopt one', async () => {
  account.outputs = { DataSettings: JSON.stringify(own) };
  account.resources = { [table]: 'AuthService-prod-TableItems1-B', [key]: 'mrk-1' };
  const { code, calls, stderr } = await deploy(own, adopting, template(left));
  expect([code, calls]).toEqual([1, [expect.stringMatching(/^synth/)]]);
  expect(stderr).toContain('The stack cannot adopt AuthService-prod-TableItems1-A');
});
