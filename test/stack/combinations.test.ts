import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import cdk from '../../cdk.json' with { type: 'json' };
import { AuthServiceStack } from '../../lib/auth-service-stack.ts';
import { addNag } from '../../lib/nag.ts';
import { readSettings } from '../../lib/settings.ts';
import { allPairs } from './combinations.ts';
import { settingNames } from './every-setting.ts';

const folder = mkdtempSync(join(tmpdir(), 'auth-service-'));
afterAll(() => rmSync(folder, { recursive: true }));
const dashboard = join(folder, 'dist');
mkdirSync(join(dashboard, 'assets'), { recursive: true });
writeFileSync(join(dashboard, 'index.html'), '<!doctype html>');
writeFileSync(join(dashboard, 'assets/index.js'), '');

type Context = Readonly<Record<string, string>>;

const region = 'eu-central-1';
const certificate = (where: string) =>
  `arn:aws:acm:${where}:123456789012:certificate/12345678-1234-1234-1234-123456789012`;
const key = 'arn:aws:kms:eu-west-1:123456789012:key/mrk-1234abcd12ab34cd56ef1234567890ab';
const tableStreamArn = `arn:aws:dynamodb:${region}:123456789012:table/Items/stream/2026-11-20T19:14:11.123`;
const foreignLogin = {
  oidcIssuer: 'https://login.example.com/',
  oidcAudience: 'auth-service',
  oidcClientId: 'dashboard',
};
const apiDomain = { apiDomain: 'api.example.com', apiCertificateArn: certificate(region) };

/**
 * Every setting with every kind of value that makes the stack another one. Their full product is some 50,000 stacks of a
 * third of a second; what goes wrong is between two of them, so every pair is enough.
 */
const options: Readonly<Record<string, readonly Context[]>> = {
  stage: [{ stage: 'dev' }, { stage: 'staging' }, { stage: 'prod' }, { stage: 'prod', release: 'at-once' }],
  regions: [
    {},
    { region, replicaRegions: 'eu-west-1,eu-north-1' },
    { tableStreamArn },
    { region, tableStreamArn, primaryRootKeys: `k1=${key},k2=${key}` },
  ],
  dashboard: [
    { dashboard: 'none' },
    { dashboard },
    { dashboard, dashboardDomain: 'auth.example.com', dashboardCertificateArn: certificate('us-east-1') },
  ],
  api: [{}, apiDomain, { ...apiDomain, executeApi: 'off' }],
  operators: [{}, foreignLogin, { loginDomainPrefix: 'billing-login', dashboardUrls: 'https://auth.example.com/' }],
  rootKeys: [{}, { rootKeyVersions: 'k1,k2' }],
  webhook: [
    {},
    {
      webhookUrl: 'https://hooks.example.com/changes',
      webhookSecretName: 'auth-service/webhook',
      webhookHeader: 'x-api-key',
      webhookRate: '20',
    },
  ],
  alarms: [{}, { alarmEmail: 'on-call@example.com' }],
  addresses: [{}, { allowedCidrs: '203.0.113.0/24,2001:db8::/32' }],
  keyState: [{}, { keyStateCacheSeconds: '10' }],
  proxy: [{}, { publicAuthorities: 'auth.example.com' }],
  limits: [{}, { throttleRate: '50', throttleBurst: '80', changeRetentionDays: '90' }],
};

/** A copy of another Region's keys has their versions. */
function isPossible(choices: ReadonlyMap<string, number>): boolean {
  return choices.get('regions') !== 3 || choices.get('rootKeys') !== 1;
}

const sizes = Object.fromEntries(Object.entries(options).map(([name, values]) => [name, values.length]));
const combinations = allPairs(sizes, isPossible).map(
  (choices): Context => Object.assign({}, ...[...choices].map(([name, value]) => options[name]?.[value])),
);

test('every setting takes part', () => {
  const taking = Object.values(options).flatMap((values) => values.flatMap((context) => Object.keys(context)));
  expect([...new Set(taking)].sort()).toEqual(settingNames());
});

test('every two values of two settings meet in some combination, as far as they can', () => {
  for (const [one, other] of pairs(Object.values(options))) {
    const meets = (context: Context) =>
      [one, other].every((part) => Object.entries(part).every(([k, v]) => context[k] === v));
    const excluded = 'rootKeyVersions' in { ...one, ...other } && 'primaryRootKeys' in { ...one, ...other };
    expect([one, other, combinations.some(meets)]).toEqual([one, other, !excluded]);
  }
});

describe('the stack is valid, and without a finding of the AwsSolutions rules', () => {
  test.each(
    combinations.map((context) => [
      Object.entries(context)
        .map(([k, v]) => `${k}=${shown(v)}`)
        .join(' '),
      context,
    ]),
  )('with %s', (_, context) => {
    const template = synthesizeChecked(context as Context);
    // CloudFormation's limits on a template (AWS CloudFormation user guide, "Understand CloudFormation quotas").
    expect(Object.keys(template.Resources).length).toBeLessThan(500);
    expect(JSON.stringify(template).length).toBeLessThan(1_000_000);
  });

  test('else it is refused', () => {
    expect(() => synthesizeChecked({}, (stack) => void new Bucket(stack, 'Unsafe'))).toThrow('AwsSolutions-S1');
  });
});

/** As the app does, and in this mode the CDK throws what it finds, by its own rules for templates too. */
function synthesizeChecked(context: Context, spoil: (stack: AuthServiceStack) => void = () => undefined) {
  process.env.CDK_VALIDATION = 'true';
  const app = new App({
    context: { ...cdk.context, '@aws-cdk/core:appMode': 'inmemory', ...context },
    outdir: join(folder, 'cdk.out'),
    analyticsReporting: false,
  });
  const stack = new AuthServiceStack(app, 'AuthService', readSettings(app.node));
  spoil(stack);
  addNag(app);
  const { template } = app.synth().getStackArtifact(stack.artifactId);
  // Throws when its resources depend on each other in a circle.
  return Template.fromJSON(template).toJSON();
}

function pairs(values: readonly (readonly Context[])[]): [Context, Context][] {
  return values.flatMap((ones, at) =>
    values
      .slice(at + 1)
      .flatMap((others) => ones.flatMap((one) => others.map((other): [Context, Context] => [one, other]))),
  );
}

function shown(value: string): string {
  return value.startsWith(folder) ? 'built' : value.slice(0, 40);
}
