import { expect, test } from '@jest/globals';
import * as endpoints from '#options/endpoints.ts';
import { deploymentContext } from '../../lib/settings/context-names.ts';
import { settingNames } from '../../lib/settings/given-settings.ts';
import type { Transition } from '../../lib/settings/storage-settings.ts';
import { rememberResult } from '../support/synthesis.ts';
import { allPairs } from './combinations.ts';
import { type Context, builtDashboard as dashboard, synthesizeChecked } from './synthesized-stack.ts';

const region = 'eu-central-1';
const certificate = (where: string) =>
  `arn:aws:acm:${where}:123456789012:certificate/12345678-1234-1234-1234-123456789012`;
const key = 'arn:aws:kms:eu-west-1:123456789012:key/mrk-1234abcd12ab34cd56ef1234567890ab';
const tableStreamArn = `arn:aws:dynamodb:${region}:123456789012:table/AuthService-<stage>-Items/stream/2026-11-20T19:14:11.123`;
const foreignLogin = {
  oidcIssuer: 'https://login.example.com/',
  oidcAudience: 'auth-service',
  oidcClientId: 'dashboard',
  oidcRoleClaim: 'groups',
  oidcRoles: '{"Help desk":"support:billing"}',
};
const apiDomain = { apiDomain: 'api.example.com', apiCertificateArn: certificate(region) };

const deployed = { replicaRegions: [], rootKeys: [{ name: 'k1' }, { name: 'k3' }] };
const transition = JSON.stringify({
  step: 'release',
  deployed: { ...deployed, tableArn: `arn:aws:dynamodb:${region}:123456789012:table/AuthService-earlier` },
} satisfies Transition);

/**
 * Every setting with every kind of value that changes the stack. The full product is some 50,000 stacks of a third of a
 * second each; faults occur between two settings, so testing every pair is enough.
 */
const options: Readonly<Record<string, readonly Context[]>> = {
  stage: [{ stage: 'dev' }, { stage: 'staging' }, { stage: 'prod' }, { stage: 'prod', release: 'at-once' }],
  regions: [
    {},
    { region, replicaRegions: 'eu-west-1,eu-north-1' },
    { tableStreamArn },
    { region, tableStreamArn, standby: 'on', rootKeys: `<stage>/k1=${key},<stage>/k2=${key}` },
  ],
  dashboard: [
    { dashboard: 'none' },
    { dashboard },
    { dashboard, dashboardDomain: 'auth.example.com', dashboardCertificateArn: certificate('us-east-1') },
  ],
  api: [{}, apiDomain, { ...apiDomain, executeApi: 'off' }],
  operators: [{}, foreignLogin, { dashboardUrls: 'https://auth.example.com/' }],
  rootKeys: [{}, { rootKeys: 'k1,k2' }],
  transition: [{}, { [deploymentContext.transition]: transition }],
  iam: [
    {},
    { iamRoles: '{"arn:aws:sts::*:assumed-role/Desk/*":"support","arn:aws:iam::111122223333:user/root":"admin"}' },
  ],
  ready: [{}, { provisionedConcurrency: '{"get-access":2,"manage":1}' }],
  logs: [{}, { tracing: 'on', accessLog: 'off' }, { tracing: 'off', accessLog: 'on' }],
  canary: [{}, { canary: 'off' }],
  alarms: [{}, { alarmEmail: 'on-call@example.com' }],
  costs: [{}, { monthlyBudget: '250' }],
  backup: [
    {},
    {
      backupVaultArn: `arn:aws:backup:${region}:222233334444:backup-vault:AuthServiceBackupVault`,
      backupRetentionDays: '60',
    },
  ],
  heads: [{}, { headsBucket: 'authservice-backupvault-heads' }],
  addresses: [{}, { allowedCidrs: '203.0.113.0/24,2001:db8::/32' }],
  endpoints: [
    {},
    ...Object.keys(endpoints).map((set) => ({ endpoints: set })),
    { endpoints: Object.keys(endpoints).join(',') },
  ],
  webhooks: [{}, { webhooks: 'standard' }, { webhooks: 'standard,set' }],
  keyState: [{}, { keyStateCacheSeconds: '10' }],
  proxy: [{}, { publicAuthorities: 'auth.example.com' }],
  limits: [{}, { throttleRate: '50', changeRetentionDays: '90', requireReason: 'operators' }],
  overload: [
    {},
    {
      manageThrottleRate: '20',
      reservedConcurrency: '{"get-access":200,"manage":20}',
    },
  ],
};

/** A copy of another Region's keys has their versions; `dev` has no aliases, which provisioned concurrency requires. */
function isPossible(choices: ReadonlyMap<string, number>): boolean {
  if (choices.get('stage') === 0 && choices.get('ready') === 1) return false;
  return choices.get('regions') !== 3 || choices.get('rootKeys') !== 1;
}

const sizes = Object.fromEntries(Object.entries(options).map(([name, values]) => [name, values.length]));
const combinations = allPairs(sizes, isPossible).map(
  (choices): Context => Object.assign({}, ...[...choices].map(([name, value]) => options[name]?.[value])),
);

test('the combinations include every setting', () => {
  const taking = Object.values(options).flatMap((values) => values.flatMap((context) => Object.keys(context)));
  expect([...new Set(taking)].sort()).toEqual([...settingNames, deploymentContext.transition].sort());
});

test('every possible pair of values of two settings occurs in some combination', () => {
  for (const [one, other] of pairs(Object.values(options))) {
    const meets = (context: Context) =>
      [one, other].every((part) => Object.entries(part).every(([k, v]) => context[k] === v));
    const names = Object.keys({ ...one, ...other });
    const excluded =
      [one, other].every((part) => 'rootKeys' in part) ||
      ({ ...one, ...other }.stage === 'dev' && names.includes('provisionedConcurrency'));
    expect([one, other, combinations.some(meets)]).toEqual([one, other, !excluded]);
  }
});

test.each(
  combinations.map((context) => [
    Object.entries(context)
      .map(([k, v]) => `${k}=${shown(v)}`)
      .join(' '),
    context,
  ]),
)('the stack is valid, and without a finding of the AwsSolutions rules, with %s', async (_, context) => {
  const template = await synthesizeChecked(ofItsStage(context as Context));
  // CloudFormation's limits on a template (AWS CloudFormation user guide, "Understand CloudFormation quotas").
  expect(Object.keys(template.Resources).length).toBeLessThan(500);
  expect(JSON.stringify(template).length).toBeLessThan(1_000_000);
});

test('a stack with a finding of the AwsSolutions rules is rejected', async () => {
  const checking = () => synthesizeChecked({}, { unsafe: true }).then(() => 'valid', String);
  expect(await rememberResult('an unsafe stack', checking)).toContain('AwsSolutions-S1');
});

function pairs(values: readonly (readonly Context[])[]): [Context, Context][] {
  return values.flatMap((ones, at) =>
    values
      .slice(at + 1)
      .flatMap((others) => ones.flatMap((one) => others.map((other): [Context, Context] => [one, other]))),
  );
}

/** A stage rejects tables and keys of another one. */
function ofItsStage(context: Context): Context {
  const { stage = 'dev' } = context;
  return Object.fromEntries(Object.entries(context).map(([name, value]) => [name, value.replaceAll('<stage>', stage)]));
}

function shown(value: string): string {
  return value === dashboard ? 'built' : value.slice(0, 40);
}
