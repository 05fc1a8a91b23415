import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';

const runFile = promisify(execFile);
const project = join(import.meta.dirname, '..', '..');
const workDir = mkdtempSync(join(tmpdir(), 'auth-service-'));
const cliOutput = join(workDir, 'cli');
const settingsOutput = join(workDir, 'settings');
const appOutput = join(workDir, 'app');
afterAll(() => rmSync(workDir, { recursive: true }));

/** Stands for a built dashboard; the default one comes and goes. */
const dashboard = join(workDir, 'dist');
mkdirSync(join(dashboard, 'assets'), { recursive: true });
writeFileSync(join(dashboard, 'index.html'), '<!doctype html>');
writeFileSync(join(dashboard, 'assets/index.js'), '');

/** No account, no region, no home directory, and a proxy that nobody answers at. */
const offline = {
  PATH: `${dirname(process.execPath)}:${join(project, 'node_modules/.bin')}:${process.env.PATH}`,
  HOME: workDir,
  HTTPS_PROXY: 'http://127.0.0.1:9',
  HTTP_PROXY: 'http://127.0.0.1:9',
  AWS_EC2_METADATA_DISABLED: 'true',
};

/** As the page for operators says it, with the settings below. */
const [, documented = ''] =
  /^npx cdk (synth .*)$/m.exec(readFileSync(join(project, 'docs/operations.md'), 'utf8')) ?? [];

const settings = {
  publicAuthorities: 'auth.example.com',
  changeRetentionDays: '30',
  oidcIssuer: 'https://login.example.com/tenant/',
  oidcAudience: 'auth-service',
  webhookUrl: 'https://hooks.example.com/changes',
  webhookSecretName: 'auth-service/webhook',
  alarmEmail: 'on-call@example.com',
  dashboard: 'none',
};
const synthesizing = Promise.all([
  synthesizeByCommandLine(cliOutput, { dashboard }),
  synthesizeByCommandLine(settingsOutput, settings, documented.split(' ')),
]);

test('cdk synth passes offline with the built dashboard, with no finding and not a word', async () => {
  const [{ stdout, stderr }] = await synthesizing;
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  expect(findingsIn(cliOutput)).toEqual([]);
}, 60_000);

test('so it does for production, as documented, without a dashboard, with another OpenID provider and a webhook', async () => {
  const [, { stdout, stderr }] = await synthesizing;
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  expect(findingsIn(settingsOutput)).toEqual([]);
  expect(readTemplate(settingsOutput)).toContain(settings.oidcIssuer);
  expect(stackIn(settingsOutput)).toMatchObject({ stackName: 'AuthService-prod', terminationProtection: true });
}, 60_000);

test('the app refuses half an OpenID provider', async () => {
  const refused = synthesizeAlone(join(workDir, 'half'), { context: { oidcAudience: 'auth-service' } });
  await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining('give both, or neither') });
}, 60_000);

test('the app by itself gives the same template as the command line, in any folder', async () => {
  await Promise.all([synthesizing, synthesizeAlone(appOutput, { context: { dashboard } })]);
  const template = readTemplate(appOutput);
  expect(template).toContain('AWS::ApiGatewayV2::Api');
  expect(template).toContain('AWS::CloudFront::Distribution');
  expect(template).toBe(readTemplate(cliOutput));
}, 60_000);

test('the app refuses a resource that breaks the AwsSolutions rules', async () => {
  const refused = synthesizeAlone(join(workDir, 'unsafe'), {
    nodeOptions: ['--import', './test/stack/add-unsafe-bucket.ts'],
  });
  await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('AwsSolutions-S1') });
}, 60_000);

function synthesizeByCommandLine(
  output: string,
  choices: Readonly<Record<string, string>> = {},
  command: readonly string[] = ['synth', '--quiet'],
) {
  const context = Object.entries({ '@aws-cdk/core:validateAgainstDefaultRules': 'true', ...choices });
  const options = context.flatMap(([name, value]) => ['--context', `${name}=${value}`]);
  const plain = ['--no-path-metadata', '--no-asset-metadata'];
  return run('cdk', [...command, '--output', output, ...options, ...plain]);
}

function stackIn(output: string): unknown {
  return JSON.parse(readFileSync(join(output, 'manifest.json'), 'utf8')).artifacts.AuthService.properties;
}

function findingsIn(output: string): unknown {
  return JSON.parse(readFileSync(join(output, 'validation-report.json'), 'utf8')).pluginReports;
}

interface AppRun {
  readonly nodeOptions?: readonly string[];
  readonly context?: Readonly<Record<string, string>>;
}

function synthesizeAlone(output: string, { nodeOptions = [], context = {} }: AppRun = {}) {
  const env = { CDK_OUTDIR: output, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_VALIDATION: 'false' };
  return run('node', [...nodeOptions, 'bin/auth-service.ts'], env);
}

function readTemplate(output: string): string {
  return readFileSync(join(output, 'AuthService.template.json'), 'utf8');
}

function run(command: string, args: readonly string[], env: Record<string, string> = {}) {
  return runFile(command, args, { cwd: project, env: { ...offline, ...env } });
}
