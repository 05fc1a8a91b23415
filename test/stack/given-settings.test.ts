import { expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import cdk from '../../cdk.json' with { type: 'json' };
import { readCommandLine } from '../../lib/settings/cdk-context.ts';
import { requireNoSharedSettings, selectSettings } from '../../lib/settings/given-settings.ts';
import { contextOf } from '../support/stack-context.ts';

const stream = (region: string) =>
  `arn:aws:dynamodb:${region}:123456789012:table/AuthService-prod-Items/stream/2026-11-20T19:14:11.123`;
const home = { alarmEmail: 'on-call@example.com', replicaRegions: ['eu-west-1'], rootKeys: ['k1', 'k2'] };
const standby = { tableStreamArn: stream('eu-west-1'), rootKeys: ['prod/k1=arn:aws:kms:…'] };
const settings = { dev: {}, prod: { 'eu-central-1': home, 'eu-west-1': standby } };

test('the settings are only those of the chosen stage and Region', () => {
  const chosen = { stage: 'prod', region: 'eu-central-1' };
  expect(select({ settings, ...chosen })).toEqual({ ...chosen, ...home });
  expect(select({ settings })).toEqual({ stage: 'dev', region: undefined });
  expect(select({ settings, stage: 'staging', region: 'eu-west-1' })).toEqual({
    stage: 'staging',
    region: 'eu-west-1',
  });
});

test('the command line can override a setting', () => {
  const tried = { stage: 'prod', region: 'eu-central-1', alarmEmail: 'ada@example.com' };
  expect(select({ settings, ...tried })).toEqual({ ...home, ...tried });
});

test('requires `-c region` when a stage has several Regions', () => {
  expect(select({ settings: { prod: { 'eu-central-1': home } }, stage: 'prod' }).region).toBe('eu-central-1');
  expect(() => select({ settings, stage: 'prod' })).toThrow(
    'The stage prod has settings for eu-central-1 and eu-west-1: choose one of them with -c region=',
  );
  expect(() => select({ settings, stage: 'prod', region: 'us-east-1' })).toThrow('and none for us-east-1');
});

test("what `-c` does not give is somebody else's, unless it stands under the name of the service", () => {
  const context = { ...cdk.context, owner: 'platform', alarmEmail: 'ada@example.com', tracing: 'sometimes' };
  const { named, bare } = readCommandLine({ ...context, 'auth-service:tracing': 'on' }, ['tracing']);
  expect([named, bare]).toEqual([{ tracing: 'on' }, { owner: 'platform', alarmEmail: 'ada@example.com' }]);
  const chosen = { stage: 'prod', region: 'eu-central-1' };
  expect(
    select({ settings, ...chosen }, { owner: 'platform', tags: {}, settings: { team: 'a' }, accounts: ['1'] }),
  ).toEqual({
    ...chosen,
    ...home,
  });
  expect(
    select({ settings, ...chosen, alarmEmail: 'ada@example.com', 'auth-service:alarmEmail': 'grace@example.com' }),
  ).toEqual({ ...chosen, ...home, alarmEmail: 'grace@example.com' });
});

test.each([['text'], [{ settings: {}, account: {} }], ['{"settings":{},"account":{}}']])(
  'what stands under the name of the service is accounts and settings, not %j',
  (given) => {
    expect(() => select({}, { 'auth-service': given })).toThrow(
      /cdk.json has context\.auth-service.*accounts and settings/,
    );
  },
);

test('a misspelt setting is rejected, in the file and on the command line', () => {
  const misspelt = { prod: { 'eu-central-1': { alarmMail: 'on-call@example.com' } } };
  expect(() => select({ settings: misspelt })).toThrow(
    'cdk.json has context.auth-service.settings.prod.eu-central-1.alarmMail, which is neither a setting nor a stage. The settings are stage,',
  );
  expect(() => select({ settings: { production: {} } })).toThrow(
    'context.auth-service.settings.production, which is neither a setting',
  );
  expect(() => select({ settings: { prod: { ireland: {} } } })).toThrow(
    'context.auth-service.settings.prod.ireland: Expected a Region',
  );
  expect(() => select({}, { 'auth-service:alarmMail': 'on-call@example.com' })).toThrow(
    'There is no setting alarmMail. The settings are',
  );
});

test('a value of another type is rejected', () => {
  const wrong = { prod: { 'eu-central-1': { throttleRate: true } } };
  expect(() => select({ settings: wrong })).toThrow(
    'invalid value in context.auth-service.settings.prod.eu-central-1.throttleRate',
  );
});

test("the CDK's own context does not count as a setting", () => {
  const context = { ...cdk.context, 'aws:cdk:enable-path-metadata': true, 'cli-telemetry': false };
  expect(select({ settings }, context)).toEqual({ stage: 'dev', region: undefined });
});

test('two Regions of a stage cannot both have their own table or root keys', () => {
  const forgotten = { prod: { 'eu-central-1': home, 'eu-west-1': { rootKeys: standby.rootKeys } } };
  expect(() => select({ settings: forgotten, stage: 'prod', region: 'eu-west-1' })).toThrow(
    'The stage prod would have a table of its own in eu-central-1 and eu-west-1: set tableStreamArn in all but one of them',
  );
  const keyless = { prod: { 'eu-central-1': home, 'eu-west-1': { tableStreamArn: standby.tableStreamArn } } };
  expect(() => select({ settings: keyless, stage: 'prod', region: 'eu-central-1' })).toThrow('root keys of its own in');
});

test('a setting for every stage is rejected', () => {
  for (const name of ['auth-service:alarmEmail', 'alarmEmail', 'stage', 'region']) {
    expect(() => requireNoSharedSettings({ ...cdk.context, [name]: 'x' })).toThrow(
      `${name.replace('auth-service:', '')} is directly under context in cdk.json, where it would apply to every stage`,
    );
  }
  for (const name of ['accounts', 'settings']) {
    expect(() => requireNoSharedSettings({ ...cdk.context, [name]: {} })).toThrow(
      `cdk.json has context.${name}: move it to context.auth-service.${name}`,
    );
  }
  expect(() => requireNoSharedSettings(cdk.context)).not.toThrow();
});

function select(given: Record<string, unknown>, foreign: Record<string, unknown> = {}) {
  const root = new RootConstruct();
  for (const [name, value] of Object.entries({ ...contextOf(given), ...foreign })) root.node.setContext(name, value);
  return selectSettings(root.node);
}
