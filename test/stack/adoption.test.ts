import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { importsOf, newRootKeys, type Resources, retainedTableOf } from '../../lib/releases/adopted-resources.ts';
import { deploymentContext } from '../../lib/settings/context-names.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import { decide } from '../../local/iam/policy-decision.ts';
import { readPolicies } from '../../local/iam/read-policies.ts';
import { compileDocuments } from '../../local/iam/statements.ts';
import { openTemplate } from '../../local/template-resources.ts';
import { contextOf } from '../support/stack-context.ts';
import { onlyResource, rootKeyOf, synthesizeTemplate, type Template } from './synthesized-stack.ts';

const place = 'eu-central-1:123456789012';
const table = `arn:aws:dynamodb:${place}:table/AuthService-prod-TableItems-1`;
const key = `arn:aws:kms:${place}:key/mrk-1234`;
const pool = `arn:aws:cognito-idp:${place}:userpool/eu-central-1_AbCdEf`;
const stream = `${table}/stream/2026-11-20T19:14:11.123`;

describe('what a stack adopts', () => {
  const region = process.env.CDK_DEFAULT_REGION;
  const account = process.env.CDK_DEFAULT_ACCOUNT;
  beforeAll(() => {
    delete process.env.CDK_DEFAULT_REGION;
    delete process.env.CDK_DEFAULT_ACCOUNT;
  });
  afterAll(() => {
    if (region !== undefined) process.env.CDK_DEFAULT_REGION = region;
    if (account !== undefined) process.env.CDK_DEFAULT_ACCOUNT = account;
  });

  test('is the table, the root keys as the output RootKeys has them, and the user pool', () => {
    const settings = { rootKeys: 'k1,k2', region: 'eu-central-1' };
    expect(adopt(`${table}, prod/k1=${key},prod/k2=${key}5,${pool}`, settings)).toEqual({
      tableName: 'AuthService-prod-TableItems-1',
      rootKeys: { k1: 'mrk-1234', k2: 'mrk-12345' },
      userPoolId: 'eu-central-1_AbCdEf',
    });
    expect(readContext({ stage: 'prod' }).adoption).toBeUndefined();
  });

  test.each([
    ['a table of another stage', table.replace('prod', 'staging'), /of a table of the stage prod.*AuthService-prod-/],
    ['a stream', stream, /--adopt takes the ARN of the stage's table.*not arn:\S+stream/],
    ['another kind of resource', `arn:aws:s3:::bucket`, /--adopt takes .*, not arn:aws:s3:::bucket/],
    ['a key without its version', key, /a root key with its stage and version, such as prod\/k1=arn/],
    ['a key of another stage', `dev/k1=${key}`, /--adopt takes .*, not dev\/k1=arn/],
    ['a key that is in one Region only', `prod/k1=${key.replace('mrk-', '')}`, /--adopt takes .*, not prod\/k1=arn/],
    ['an alias', `prod/k1=arn:aws:kms:${place}:alias/root`, /by its own ARN, not by an alias, which could point/],
    ['a table as a key', `prod/k1=${table}`, /--adopt takes .*, not prod\/k1=arn/],
    ['no version of the settings', `prod/k2=${key}`, /--adopt has k2, which the setting rootKeys does not: k1/],
    ['two keys for one version', `prod/k1=${key},prod/k1=${key}2`, /one key for each version/],
    ['two tables', `${table},${table}2`, /only one table, not arn\S+ and arn/],
    ['nothing', '', /--adopt takes .*, not $/],
    [
      'two accounts',
      `${table},prod/k1=${key.replace('123456789012', '111122223333')}`,
      /mrk-1234 is not in eu-central-1 of 1234/,
    ],
    ['two Regions', `${table},prod/k1=${key.replace('central', 'west')}`, /mrk-1234 is not in eu-central-1 of 1234/],
  ])('is refused: %s', (_, arns, error) => {
    expect(() => adopt(arns)).toThrow(error);
  });

  test("must be in the stack's own Region and account", () => {
    expect(() => adopt(table, { region: 'eu-west-1' })).toThrow(/is not in eu-west-1 of 123456789012/);
    process.env.CDK_DEFAULT_ACCOUNT = '111122223333';
    expect(() => adopt(table)).toThrow(/is not in eu-central-1 of 111122223333/);
    // Wrong credentials are refused as such, by `npm run deploy`.
    const accounts = { prod: { id: '123456789012' } };
    expect(readContext({ stage: 'prod', accounts, [deploymentContext.adopt]: table }).adoption).toBeDefined();
    const others = { prod: { id: '444455556666' } };
    expect(() => readContext({ stage: 'prod', accounts: others, [deploymentContext.adopt]: table })).toThrow(
      /is not in eu-central-1 of 444455556666/,
    );
    process.env.CDK_DEFAULT_ACCOUNT = '123456789012';
    process.env.CDK_DEFAULT_REGION = 'eu-west-1';
    expect(() => adopt(table)).toThrow(/is not in eu-west-1 of 123456789012/);
    expect(adopt(table, { region: 'eu-central-1' })).toMatchObject({ rootKeys: {} });
    delete process.env.CDK_DEFAULT_REGION;
    delete process.env.CDK_DEFAULT_ACCOUNT;
  });

  test('must be used by the stack', () => {
    expect(() => adopt(table, { tableStreamArn: stream })).toThrow('only without the setting tableStreamArn');
    const login = { oidcIssuer: 'https://login.example.com/', oidcAudience: 'auth-service' };
    expect(() => adopt(pool, login)).toThrow('only without the setting oidcIssuer');
  });
});

const planned = await synthesizeTemplate({ stage: 'prod' });
const purposes = ['k', 'h', 'c', 'w'];
const importing = await synthesizeTemplate({
  stage: 'prod',
  [deploymentContext.adopt]: [table, ...purposes.map((purpose) => `prod/${purpose}1=${key}${purpose}`), pool].join(),
});
const [tableId] = onlyResource(planned, 'AWS::DynamoDB::GlobalTable');
const keyIds = purposes.map((purpose) => rootKeyOf(planned, `${purpose}1`)[0]);
const [keyId = ''] = keyIds;
const [poolId] = onlyResource(planned, 'AWS::Cognito::UserPool');

describe('the template by which a stack adopts', () => {
  test('names what to import, each by the property that identifies it', () => {
    expect(importsOf(resourcesIn(importing), new Map())).toEqual({
      [tableId]: { TableName: 'AuthService-prod-TableItems-1' },
      ...Object.fromEntries(keyIds.map((id, at) => [id, { KeyId: `mrk-1234${purposes[at]}` }])),
      [poolId]: { UserPoolId: 'eu-central-1_AbCdEf' },
    });
    expect(importsOf(resourcesIn(planned), new Map())).toEqual({});
  });

  test('imports resources that refer to no other, because an import creates none', () => {
    for (const id of [tableId, ...keyIds, poolId]) {
      const references = [...JSON.stringify(importing.Resources[id]).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"([^"]+)"/g)];
      expect(references.map(([, name = '']) => name).filter((name) => !name.startsWith('AWS::'))).toEqual([]);
    }
  });

  test('imports resources that outlive the stack, with the properties that the stack gives them afterwards', () => {
    for (const id of [tableId, poolId]) {
      const { Metadata: _, ...imported } = Object(importing.Resources[id]);
      // It is imported alone, so it cannot depend on what compares the deployments.
      const { DependsOn, ...later } = Object(planned.Resources[id]);
      expect(String(DependsOn)).toMatch(/^DataGuardData/);
      expect(imported).toEqual(later);
    }
    const { KeyPolicy, ...others } = Object(importing.Resources[keyId]).Properties;
    expect(others).toEqual({ ...planned.Resources[keyId]?.Properties, KeyPolicy: undefined });
    expect(importing.Resources[keyId]).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  });

  test('denies the root key to every function until the deployment that follows, which allows it to the same as ever', () => {
    const users = decisions(planned).filter(([, decision]) => decision === 'allowed');
    expect(users.length).toBeGreaterThan(8);
    expect(new Set(decisions(importing).map(([, decision]) => decision))).toEqual(new Set(['explicitly denied']));
  });

  test("is needed because the policy of a deleted stack's key names its roles, and those of the next have other names", () => {
    const ofTheNext = decisions(planned, (role) => `${role}-2`);
    expect(new Set(ofTheNext.map(([, decision]) => decision))).toEqual(new Set(['explicitly denied']));
  });

  test('of a standby imports its copies of the root keys, and uses its table by the setting', async () => {
    const standby = {
      stage: 'prod',
      tableStreamArn: stream,
      region: 'eu-central-1',
      rootKeys: purposes.map((purpose) => `prod/${purpose}1=${key.replace('central', 'west')}`).join(),
    };
    const template = await synthesizeTemplate({ ...standby, [deploymentContext.adopt]: `prod/k1=${key}` });
    const [copyId, copy] = rootKeyOf(template, 'k1');
    expect(importsOf(resourcesIn(template), new Map())).toEqual({ [copyId]: { KeyId: 'mrk-1234' } });
    expect(JSON.stringify(copy)).not.toContain('Fn::GetAtt');
    const rootKeys = `${standby.rootKeys},prod/k2=${key.replace('central', 'west')}2`;
    const both = await synthesizeTemplate({ ...standby, rootKeys, [deploymentContext.adopt]: `prod/k1=${key}` });
    expect(newRootKeys(resourcesIn(both), new Map())).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('k2') }),
    );
  });
});

describe('a stack that adopts', () => {
  test('imports only what it lacks, so that a deployment that failed after the import can be repeated', () => {
    const present = new Map([[tableId, 'AuthService-prod-TableItems-1']]);
    expect(Object.keys(importsOf(resourcesIn(importing), present))).toEqual([...keyIds, poolId]);
  });

  test('is refused if it has another resource in that place', () => {
    const present = new Map([[tableId, 'AuthService-prod-TableItems-2']]);
    expect(() => importsOf(resourcesIn(importing), present)).toThrow(
      `cannot adopt AuthService-prod-TableItems-1: its resource ${tableId} is AuthService-prod-TableItems-2 already`,
    );
  });

  test('would lose the keys of each version that it does not adopt and does not have', async () => {
    const context = { stage: 'prod', rootKeys: 'k1,k2', backupVaultArn: `arn:aws:backup:${place}:backup-vault:Copies` };
    const both = resourcesIn(
      await synthesizeTemplate({ ...context, [deploymentContext.adopt]: `${table},prod/k1=${key}` }),
    );
    const loss = { setting: 'rootKeys', text: expect.stringMatching(/^The root key k2 would be a new one/) };
    expect(newRootKeys(both, new Map())).toContainEqual(loss);
    const others = Object.keys(both).filter((id) => /^RootKey(K2|[HCW]1)/.test(id));
    expect(newRootKeys(both, new Map(others.map((id) => [id, 'mrk-5678'])))).toEqual([]);
  });

  test('creates a table that outlives it only in a stage that keeps its data', async () => {
    expect(retainedTableOf(resourcesIn(planned))).toBe(tableId);
    expect(retainedTableOf(resourcesIn(importing))).toBeUndefined();
    expect(retainedTableOf(resourcesIn(await synthesizeTemplate({ stage: 'staging' })))).toBeUndefined();
  });
});

function adopt(arns: string, settings: Record<string, string> = {}) {
  return readContext({ stage: 'prod', ...settings, [deploymentContext.adopt]: arns }).adoption;
}

function readContext(context: Readonly<Record<string, unknown>>) {
  const root = new RootConstruct();
  for (const [name, value] of Object.entries(contextOf(context))) root.node.setContext(name, value);
  return readSettings(root.node);
}

function resourcesIn(template: Template): Resources {
  return template.Resources as unknown as Resources;
}

/** Whether each function may use the root key from inside itself, by the policies of its role and of the key. */
function decisions(template: Template, nameOf = (role: string) => role) {
  const opened = openTemplate(template, { tableName: 'items' });
  const keyArn = opened.arnOf(rootKeyOf(template, 'k1')[0]);
  return [...readPolicies(opened, 'items').values()].map(({ functionId, role, identity, resources }) => {
    const context = { 'kms:MacAlgorithm': 'HMAC_SHA_256', 'aws:PrincipalArn': nameOf(role) };
    const authorization = {
      action: 'kms:GenerateMac',
      resource: keyArn,
      context: { ...context, 'lambda:SourceFunctionArn': opened.arnOf(functionId) },
    };
    const policies = {
      identity: compileDocuments('identity', identity),
      resource: compileDocuments('resource', new Map(resources).get(keyArn) ?? []),
    };
    return [functionId, decide(authorization, nameOf(role), policies)] as const;
  });
}
