import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { everyEndpoint } from '../support/service-endpoints.ts';
import { functionsOf, resourcesOf, type Template, templateIn } from './synthesized-stack.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
/** A copy of the sources that the stack is synthesized from. */
const copy = mkdtempSync(join(tmpdir(), 'auth-service-endpoints-'));
afterAll(() => rmSync(copy, { recursive: true }));

const added = Array.from({ length: 5 }, (_, n) => `more-${'abcde'[n]}`);
const names = [...everyEndpoint.map(({ name }) => name), ...added];
let template: Template;

beforeAll(async () => {
  for (const name of ['bin', 'lib', 'functions', 'options', 'shared', 'docs', 'cdk.json', 'package.json']) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  addEndpoints();
  template = await synthesize();
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

/** Synthesizes with everything that grows with the functions, and reserved concurrency for each of them. */
async function synthesize(): Promise<Template> {
  const reservedConcurrency = Object.fromEntries(
    [...names, 'manage', 'publish-changes', 'number-changes'].map((name) => [name, 10]),
  );
  const context = { stage: 'prod', dashboard: 'none', reservedConcurrency: JSON.stringify(reservedConcurrency) };
  const outdir = join(copy, 'cdk.out');
  const env = { ...process.env, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context) };
  await run(process.execPath, [join(copy, 'bin/auth-service.ts')], { cwd: copy, env });
  return templateIn(outdir);
}

test('a stack with five more endpoints is synthesized, with a function, a route and its alarms for each', () => {
  expect([...functionsOf(template).keys()]).toEqual(expect.arrayContaining(names));
  const alarms = [...resourcesOf(template, 'AWS::CloudWatch::Alarm').values()].map(
    ({ Properties }) => Properties.AlarmName,
  );
  const kinds = ['latency', 'refusals', 'errors', 'function-throttles', 'reserved-concurrency'];
  const expected = names.flatMap((name) => kinds.map((kind) => `auth-service-${kind}-${name}`));
  expect(alarms).toEqual(expect.arrayContaining(expected));
});

test('its alarms stay within the limit of metrics, and its releases within the limit of alarms', () => {
  for (const { Properties } of resourcesOf(template, 'AWS::CloudWatch::Alarm').values()) {
    const { AlarmName, Metrics = [] } = Properties as { AlarmName: string; Metrics?: { MetricStat?: unknown }[] };
    const watched = Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length;
    expect([AlarmName, watched <= 10]).toEqual([AlarmName, true]);
  }
  const groups = [...resourcesOf(template, 'AWS::CodeDeploy::DeploymentGroup').values()];
  expect(groups).toHaveLength(names.length + 4);
  for (const { Properties } of groups) {
    const { AlarmConfiguration } = Properties as { AlarmConfiguration?: { Alarms: unknown[] } };
    expect(AlarmConfiguration?.Alarms.length).toBeLessThanOrEqual(10);
  }
});
