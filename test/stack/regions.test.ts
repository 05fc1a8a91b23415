import { expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { readSettings } from '../../lib/settings/settings.ts';
import { contextOf } from '../support/stack-context.ts';
import { statementsOf } from './role-permissions.ts';
import { functionsOf, onlyResource, resourcesOf, rootKeyOf, synthesizeTemplate } from './synthesized-stack.ts';

const primaryArn = 'arn:aws:kms:eu-central-1:123456789012:key/mrk-1234abcd12ab34cd56ef1234567890ab';
const tableArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/AuthService-prod-Items';
const tableStreamArn = `${tableArn}/stream/2026-11-20T19:14:11.123`;
const home = { stage: 'prod', region: 'eu-central-1', replicaRegions: 'eu-west-1,us-east-2' };
const standby = {
  stage: 'prod',
  region: 'eu-west-1',
  tableStreamArn,
  rootKeys: ['k1', 'h1', 'c1', 'w1'].map((version) => `prod/${version}=${primaryArn}`).join(),
  standby: 'on',
};

const prod = await synthesizeTemplate({ stage: 'prod' });
const homeTemplate = await synthesizeTemplate(home);
const standbyTemplate = await synthesizeTemplate(standby);
const restoredTemplate = await synthesizeTemplate({ stage: 'prod', tableStreamArn });

const [, table] = onlyResource(homeTemplate, 'AWS::DynamoDB::GlobalTable');

test('the home Region of a table with copies keeps one in each Region, protected and restorable like the first', () => {
  const regions = ['eu-west-1', 'us-east-2', 'eu-central-1'];
  expect(table.Properties.Replicas).toEqual(
    regions.map((Region) =>
      expect.objectContaining({
        Region,
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        ContributorInsightsSpecification: { Enabled: true, Mode: 'THROTTLED_KEYS' },
      }),
    ),
  );
});

test('the home Region of a table with copies has the same table as before, except for its copies', () => {
  const [id, alone] = onlyResource(prod, 'AWS::DynamoDB::GlobalTable');
  const [sameId] = onlyResource(homeTemplate, 'AWS::DynamoDB::GlobalTable');
  expect(sameId).toBe(id);
  expect({ ...table.Properties, Replicas: [] }).toEqual({ ...alone.Properties, Replicas: [] });
});

test('the home Region of a table with copies allows copying the root key only to those Regions, and has the same key as before', () => {
  const [id, key] = rootKeyOf(homeTemplate, 'k1');
  const [sameId] = rootKeyOf(prod, 'k1');
  expect(sameId).toBe(id);
  expect(JSON.stringify(key.Properties.KeyPolicy)).toContain(
    '{"StringNotEquals":{"kms:ReplicaRegion":["eu-west-1","us-east-2"]}}',
  );
});

const [keyId, key] = rootKeyOf(standbyTemplate, 'k1');
const [historyId] = rootKeyOf(standbyTemplate, 'h1');
const environment = Object(functionsOf(standbyTemplate).get('set-access')?.Properties.Environment).Variables;

test('the stack of another Region creates neither table nor key, and uses the copies in its Region', () => {
  expect(resourcesOf(standbyTemplate, 'AWS::DynamoDB::GlobalTable').size).toBe(0);
  expect(resourcesOf(standbyTemplate, 'AWS::KMS::Key').size).toBe(0);
  expect(environment).toMatchObject({
    TABLE_NAME: 'AuthService-prod-Items',
    ROOT_KEYS: {
      'Fn::Join': ['', ['k1=', { 'Fn::GetAtt': [keyId, 'Arn'] }, ',h1=', { 'Fn::GetAtt': [historyId, 'Arn'] }]],
    },
  });
  expect(key.Properties.PrimaryKeyArn).toBe(primaryArn);
});

test("the stack of another Region protects the key's copy like the key, for its own functions", () => {
  const guarded = JSON.stringify(key.Properties.KeyPolicy);
  expect(key).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  expect(guarded).toContain('DenyRemoval');
  const roles = [...functionsOf(standbyTemplate)]
    .filter(([name]) => name === 'get-access')
    .map(([, fn]) => fn.Properties.Role);
  expect(guarded).toContain(JSON.stringify(roles[0]));
});

test('the stack of another Region reads the stream of its own copy', () => {
  const mappings = [...resourcesOf(standbyTemplate, 'AWS::Lambda::EventSourceMapping').values()];
  expect(new Set(mappings.map(({ Properties }) => Properties.EventSourceArn))).toEqual(new Set([tableStreamArn]));
});

test('nothing reads the stream of a Region that stands by, until it takes over', async () => {
  const enabledIn = (template: typeof standbyTemplate) =>
    [...resourcesOf(template, 'AWS::Lambda::EventSourceMapping').values()].map(({ Properties }) => Properties.Enabled);
  expect(enabledIn(standbyTemplate)).toEqual([false, false]);
  const alarms = (template: typeof standbyTemplate) =>
    [...resourcesOf(template, 'AWS::CloudWatch::Alarm').values()].map(({ Properties }) => String(Properties.AlarmName));
  expect(alarms(standbyTemplate).filter((name) => /-stopped$/.test(name))).toEqual([]);
  const takenOver = await synthesizeTemplate({ ...standby, standby: 'off' });
  expect(enabledIn(takenOver)).toEqual([undefined, undefined]);
  expect(alarms(takenOver).filter((name) => /-stopped$/.test(name))).toHaveLength(2);
});

test('the stack of another Region may access only that table', () => {
  const touched = [...functionsOf(standbyTemplate).keys()]
    .flatMap((name) => statementsOf(standbyTemplate, name))
    .filter(({ Action }) => JSON.stringify(Action).includes('dynamodb:'))
    .flatMap(({ Resource }) => [Resource].flat());
  expect(touched.length).toBeGreaterThan(10);
  for (const resource of touched) expect(String(resource).startsWith(tableArn)).toBe(true);
});

test("a restored table replaces the stack's table, which remains in the account", () => {
  const [, table] = onlyResource(prod, 'AWS::DynamoDB::GlobalTable');
  expect(resourcesOf(restoredTemplate, 'AWS::DynamoDB::GlobalTable').size).toBe(0);
  expect(table.DeletionPolicy).toBe('Retain');
  expect([...resourcesOf(restoredTemplate, 'AWS::KMS::Key').keys()]).toEqual([
    ...resourcesOf(prod, 'AWS::KMS::Key').keys(),
  ]);
});

test.each([
  [{ region: 'Frankfurt' }, 'region must be an AWS Region such as eu-central-1'],
  [{ replicaRegions: 'eu-west-1' }, 'replicaRegions requires region'],
  [{ ...home, replicaRegions: 'eu-central-1' }, 'must list AWS Regions other than eu-central-1, each once'],
  [{ ...home, replicaRegions: 'eu-west-1,eu-west-1' }, 'must list AWS Regions other than eu-central-1, each once'],
  [{ ...home, replicaRegions: 'eu-west-1,ireland' }, 'must list AWS Regions other than'],
  [{ ...home, tableStreamArn }, 'replicaRegions and tableStreamArn cannot be combined'],
  [{ standby: 'on' }, 'standby requires tableStreamArn'],
  [{ stage: 'prod', tableStreamArn: tableArn }, "tableStreamArn must be the ARN of a table's stream (LatestStreamArn)"],
  [{ ...standby, region: 'us-east-2' }, "must be in the stack's Region us-east-2, not in eu-west-1"],
  [{ rootKeys: `prod/k1=${primaryArn}` }, 'rootKeys requires region'],
  [{ ...standby, region: 'eu-central-1', tableStreamArn: '' }, 'must be the output RootKeys of the stack of prod'],
  [{ ...standby, rootKeys: primaryArn }, 'rootKeys must list versions'],
  [{ ...standby, rootKeys: `prod/k1=${primaryArn.replace('mrk-', '')}` }, 'must be the output RootKeys'],
  [{ ...standby, rootKeys: `prod/k2=${primaryArn},prod/k1=${primaryArn}` }, 'rootKeys must list versions'],
  [{ ...standby, rootKeys: `prod/k1=${primaryArn},k2` }, 'not both'],
  [
    { stage: 'staging', tableStreamArn },
    'must be of a table of the stage staging, whose name begins with AuthService-staging-',
  ],
  [{ tableStreamArn }, 'must be of a table of the stage dev'],
  [
    { ...standby, rootKeys: `dev/k1=${primaryArn}` },
    'must be the output RootKeys of the stack of prod in another Region',
  ],
  [
    { ...standby, rootKeys: `prod/k1=${primaryArn}` },
    'rootKeys lacks the root h1 of the stack of prod in another Region',
  ],
  [{ ...standby, rootKeys: `k1=${primaryArn}` }, 'must be the output RootKeys of the stack of prod in another Region'],
])('invalid settings of Regions are rejected: %j', (context: Record<string, string>, message) => {
  expect(() => readContext(context)).toThrow(message);
});

test('valid settings of Regions are accepted', () => {
  expect(readContext(standby)).toMatchObject({
    region: 'eu-west-1',
    tableStreamArn,
    rootKeys: ['k1', 'h1', 'c1', 'w1'].map((name) => ({ name, primaryArn })),
  });
});

function readContext(context: Record<string, string>) {
  const root = new RootConstruct();
  for (const [name, value] of Object.entries(contextOf(context))) root.node.setContext(name, value);
  return readSettings(root.node);
}
