import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';

const runFile = promisify(execFile);
const project = join(import.meta.dirname, '..', '..');
const workDir = mkdtempSync(join(tmpdir(), 'auth-service-'));
const [cliOutput, appOutput] = [join(workDir, 'cli'), join(workDir, 'app')];
afterAll(() => rmSync(workDir, { recursive: true }));

/** No account, no region, no home directory, and a proxy that nobody answers at. */
const offline = {
  PATH: `${dirname(process.execPath)}:${join(project, 'node_modules/.bin')}:${process.env.PATH}`,
  HOME: workDir,
  HTTPS_PROXY: 'http://127.0.0.1:9',
  HTTP_PROXY: 'http://127.0.0.1:9',
  AWS_EC2_METADATA_DISABLED: 'true',
};

const synthesizing = synthesizeByCommandLine(cliOutput);

test('cdk synth passes offline, with no finding and not a word', async () => {
  const { stdout, stderr } = await synthesizing;
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  expect(JSON.parse(readFileSync(join(cliOutput, 'validation-report.json'), 'utf8')).pluginReports).toEqual([]);
}, 60_000);

test('the app by itself gives the same template as the command line, in any folder', async () => {
  await Promise.all([synthesizing, synthesizeAlone(appOutput)]);
  const template = readTemplate(appOutput);
  expect(template).toContain('AWS::ApiGatewayV2::Api');
  expect(template).toBe(readTemplate(cliOutput));
}, 60_000);

test('the app refuses a resource that breaks the AwsSolutions rules', async () => {
  const refused = synthesizeAlone(join(workDir, 'unsafe'), ['--import', './test/stack/add-unsafe-bucket.ts']);
  await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('AwsSolutions-S1') });
}, 60_000);

function synthesizeByCommandLine(output: string) {
  const rules = '@aws-cdk/core:validateAgainstDefaultRules=true';
  const plain = ['--no-path-metadata', '--no-asset-metadata'];
  return run('cdk', ['synth', '--quiet', '--output', output, '--context', rules, ...plain]);
}

function synthesizeAlone(output: string, nodeOptions: readonly string[] = []) {
  const env = { CDK_OUTDIR: output, CDK_CONTEXT_JSON: '{}', CDK_VALIDATION: 'false' };
  return run('node', [...nodeOptions, 'bin/auth-service.ts'], env);
}

function readTemplate(output: string): string {
  return readFileSync(join(output, 'AuthService.template.json'), 'utf8');
}

function run(command: string, args: readonly string[], env: Record<string, string> = {}) {
  return runFile(command, args, { cwd: project, env: { ...offline, ...env } });
}
