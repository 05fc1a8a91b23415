import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as endpoints from '#options/endpoints.ts';
import { everyEndpoint } from '../support/service-endpoints.ts';
import { conditionsOf } from './alarms/conditions.ts';
import { resolvedSize } from './resolved-size.ts';
import { policiesOf } from './role-permissions.ts';
import {
  builtDashboard,
  type Context,
  functionsOf,
  referredId,
  resourcesOf,
  synthesizeTemplate,
  type Template,
  templateIn,
} from './synthesized-stack.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
/** A copy of the sources that the stack is synthesized from. */
const copy = mkdtempSync(join(tmpdir(), 'auth-service-endpoints-'));
afterAll(() => rmSync(copy, { recursive: true }));

const added = Array.from({ length: 10 }, (_, n) => `more-${'abcdefghij'[n]}`);
const names = [...everyEndpoint.map(({ name }) => name), ...added];

const region = 'eu-central-1';
const certificate = (where: string) =>
  `arn:aws:acm:${where}:123456789012:certificate/12345678-1234-1234-1234-123456789012`;
/** Every setting that adds resources. */
const everything: Context = {
  stage: 'prod',
  region,
  replicaRegions: 'eu-west-1',
  dashboard: builtDashboard,
  dashboardDomain: 'auth.example.com',
  dashboardCertificateArn: certificate('us-east-1'),
  apiDomain: 'api.example.com',
  apiCertificateArn: certificate(region),
  rootKeys: 'k1,k2',
  iamRoles: '{"arn:aws:iam::111122223333:user/root":"admin"}',
  provisionedConcurrency: '{"get-access":2,"manage":1}',
  tracing: 'on',
  accessLog: 'on',
  alarmEmail: 'on-call@example.com',
  monthlyBudget: '250',
  backupVaultArn: `arn:aws:backup:${region}:222233334444:backup-vault:AuthServiceBackupVault`,
  headsBucket: 'authservice-backupvault-heads',
  endpoints: Object.keys(endpoints).join(','),
  webhooks: 'standard,set',
};

let before: Template;
/** With the endpoints, and with reserved concurrency for each function. */
let reserved: Template;

beforeAll(async () => {
  for (const name of ['bin', 'lib', 'functions', 'client', 'options', 'shared', 'docs', 'cdk.json', 'package.json']) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  addEndpoints();
  before = await synthesizeTemplate(everything);
  const existing = [...functionsOf(before).keys()];
  // Those that no setting can reserve concurrency for, and those of the CDK.
  const watched = [
    ...existing.filter((name) => !/canary|check-release|guard-data|sign-heads|undefined/.test(name)),
    ...added,
  ];
  const reservedConcurrency = JSON.stringify(Object.fromEntries(watched.map((name) => [name, 10])));
  reserved = await synthesizeCopy({ ...everything, reservedConcurrency });
});

/** Adds endpoints as a developer would, in three files: a record in its list, its documents and a file in `functions/`. */
function addEndpoints(): void {
  addEntries('access.ts', /^ {2}'get-access': getAccessOperation,\n/m, (name) => {
    return `  '${name}': { ...getAccessOperation, name: '${name}', path: '/api/service/${name}/{userId}' },\n`;
  });
  addEntries('access-documents.ts', /^ {2}'get-access': \{\n.*?^ {2}\},\n/ms, (name, first) => {
    return first.replace("'get-access'", `'${name}'`);
  });
  for (const name of added) cpSync(join(copy, 'functions/get-access.ts'), join(copy, `functions/${name}.ts`));
}

/** Adds an entry for each of them to a file of the contract, after its first entry. */
function addEntries(file: string, first: RegExp, entryFor: (name: string, first: string) => string): void {
  const path = join(copy, 'shared/contract', file);
  const text = readFileSync(path, 'utf8');
  const [found] = first.exec(text) ?? [];
  if (found === undefined) throw new Error(`${file} has no such entry`);
  writeFileSync(path, text.replace(found, found + added.map((name) => entryFor(name, found)).join('')));
}

async function synthesizeCopy(context: Context): Promise<Template> {
  const outdir = mkdtempSync(join(copy, 'out-'));
  const given = { settings: {}, ...context };
  const env = { ...process.env, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(given) };
  await run(process.execPath, [join(copy, 'bin/auth-service.ts')], {
    cwd: copy,
    env: { ...env, CDK_VALIDATION: 'false' },
  });
  return templateIn(outdir);
}

const sizeOf = ({ Resources }: Template) => Object.keys(Resources).length;

test('everything that settings can add takes 350 resources at most', () => {
  expect(sizeOf(before)).toBeLessThanOrEqual(350);
});

test('an endpoint adds eight resources at most', () => {
  const ofReservations = [...resourcesOf(reserved, 'AWS::CloudWatch::Alarm').values()].filter(({ Properties }) =>
    String(Properties.AlarmName).startsWith('auth-service-reserved-concurrency'),
  );
  expect(sizeOf(reserved) - ofReservations.length - sizeOf(before)).toBeLessThanOrEqual(8 * added.length);
});

describe('with everything, ten more endpoints and reserved concurrency for each function', () => {
  test('the stack stays below the 500 resources and the megabyte of a template', () => {
    expect(sizeOf(reserved)).toBeLessThan(500);
    expect(JSON.stringify(reserved).length).toBeLessThan(1_000_000);
  });

  test('the environment of each function stays below the 4 KB of Lambda', () => {
    for (const [name, { Properties }] of functionsOf(reserved)) {
      expect([name, resolvedSize(Object(Properties.Environment).Variables, reserved)]).toEqual([
        name,
        expect.any(Number),
      ]);
      expect(resolvedSize(Object(Properties.Environment).Variables, reserved)).toBeLessThan(4096);
    }
  });

  test('the policies of each role stay below the 10,240 characters of IAM, and managed policies below 6,144', () => {
    const roles = [...resourcesOf(reserved, 'AWS::IAM::Role').keys()];
    const managed = [...resourcesOf(reserved, 'AWS::IAM::ManagedPolicy').values()].map(({ Properties }) => Properties);
    const inline = policiesOf(reserved).filter(
      ({ PolicyDocument }) => !managed.some((policy) => policy.PolicyDocument === PolicyDocument),
    );
    for (const role of roles) {
      const own = inline.filter(({ Roles }) => Roles.some((one) => referredId(one) === role));
      const sizes = own.map(({ PolicyDocument }) => resolvedSize(PolicyDocument, reserved));
      const total = sizes.reduce((sum, size) => sum + size, 0);
      expect([role, total < 10_240]).toEqual([role, true]);
    }
    for (const { PolicyDocument } of managed) expect(resolvedSize(PolicyDocument, reserved)).toBeLessThan(6144);
  });

  test('the versions that a release checks fit into the 8 KB of a parameter', () => {
    for (const { Properties } of resourcesOf(reserved, 'AWS::SSM::Parameter').values()) {
      expect(resolvedSize(Properties.Value, reserved)).toBeLessThan(8192);
    }
  });

  test('each endpoint has a function, a route and its alarms', () => {
    expect([...functionsOf(reserved).keys()]).toEqual(expect.arrayContaining(names));
    const kinds = ['latency', 'refusals', 'errors', 'function-throttles', 'reserved-concurrency'];
    const expected = names.flatMap((name) => kinds.map((kind) => `${kind}-${name}`));
    expect([...conditionsOf(reserved).keys()]).toEqual(expect.arrayContaining(expected));
  });

  test('its alarms stay within the limit of metrics, and its releases within the limit of alarms', () => {
    for (const { Properties } of resourcesOf(reserved, 'AWS::CloudWatch::Alarm').values()) {
      const {
        AlarmName,
        AlarmDescription,
        Metrics = [],
      } = Properties as {
        AlarmName: string;
        AlarmDescription: string;
        Metrics?: { MetricStat?: unknown }[];
      };
      const watched = Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length;
      expect([AlarmName, watched <= 10, AlarmDescription.length <= 1024]).toEqual([AlarmName, true, true]);
    }
    const groups = [...resourcesOf(reserved, 'AWS::CodeDeploy::DeploymentGroup').values()];
    expect(groups.length).toBeGreaterThan(names.length);
    for (const { Properties } of groups) {
      const { AlarmConfiguration } = Properties as { AlarmConfiguration?: { Alarms: unknown[] } };
      expect(AlarmConfiguration?.Alarms.length).toBeLessThanOrEqual(10);
    }
  });
});
