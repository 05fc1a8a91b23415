import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { contextOf } from '../support/stack-context.ts';
import { rememberResult, requestAssembly } from '../support/synthesis.ts';
import { type Context, builtDashboard as dashboard } from './synthesized-stack.ts';

const runFile = promisify(execFile);
const project = join(import.meta.dirname, '..', '..');
const workDir = mkdtempSync(join(tmpdir(), 'auth-service-'));
afterAll(() => rmSync(workDir, { recursive: true }));

/** What somebody else's apps have in the context, some of it under the names of settings. */
const foreign = {
  context: { owner: 'platform', accounts: ['111122223333'], settings: 'shared', tracing: 'sometimes' },
};
writeFileSync(join(workDir, '.cdk.json'), JSON.stringify(foreign));

/** No account, no region, a home directory with nothing but that, and an unreachable proxy. */
const offline = {
  PATH: `${dirname(process.execPath)}:${join(project, 'node_modules/.bin')}:${process.env.PATH}`,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  HOME: workDir,
  HTTPS_PROXY: 'http://127.0.0.1:9',
  HTTP_PROXY: 'http://127.0.0.1:9',
  AWS_EC2_METADATA_DISABLED: 'true',
};

/** The command from the page for operators, with the settings below. */
const [, documented = ''] =
  /^npx cdk (synth .*)$/m.exec(readFileSync(join(project, 'docs/operate/deploy.md'), 'utf8')) ?? [];

const settings = {
  publicAuthorities: 'auth.example.com',
  changeRetentionDays: '30',
  oidcIssuer: 'https://login.example.com/tenant/',
  oidcAudience: 'auth-service',
  webhooks: 'standard,set',
  alarmEmail: 'on-call@example.com',
  dashboard: 'none',
};
const plain = ['--no-path-metadata', '--no-asset-metadata'];

/** Concurrently, once the functions are bundled: otherwise each of these processes would bundle them. */
const results = requestAssembly().then(() =>
  Promise.all([
    synthesizeByCommandLine({ dashboard }),
    synthesizeByCommandLine(settings, documented.split(' ')),
    synthesizeAlone({ context: { dashboard } }),
    synthesizeAlone({ nodeOptions: ['--import', './test/stack/add-unsafe-bucket.ts'] }),
  ]),
);

test('cdk synth passes offline with the built dashboard, without findings or output', async () => {
  const [{ code, stdout, stderr, findings }] = await results;
  expect({ code, stdout, stderr, findings }).toEqual({ code: 0, stdout: '', stderr: '', findings: [] });
});

test('cdk synth passes for production, as documented, without a dashboard, with another OpenID provider and webhooks', async () => {
  const [, { code, stdout, stderr, findings, template, stack }] = await results;
  expect({ code, stdout, stderr, findings }).toEqual({ code: 0, stdout: '', stderr: '', findings: [] });
  expect(template).toContain(settings.oidcIssuer);
  expect(stack).toMatchObject({ displayName: 'AuthService-prod', properties: { terminationProtection: true } });
});

test('the app alone produces the same template as the command line, in any folder', async () => {
  const [byCommandLine, , { template }] = await results;
  expect(template).toContain('AWS::ApiGatewayV2::Api');
  expect(template).toContain('AWS::CloudFront::Distribution');
  expect(template).toBe(byCommandLine.template);
});

test('the app rejects a resource that violates the AwsSolutions rules', async () => {
  const [, , , refused] = await results;
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('AwsSolutions-S1') });
});

function synthesizeByCommandLine(choices: Context, command: readonly string[] = ['synth', '--quiet']) {
  const context = { '@aws-cdk/core:validateAgainstDefaultRules': 'true', ...contextOf(choices) };
  const options = Object.entries(context).flatMap(([name, value]) => ['--context', `${name}=${textOf(value)}`]);
  return synthesize('cdk', [...command, ...options, ...plain], {}, (output) => ['--output', output]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface AppRun {
  readonly nodeOptions?: readonly string[];
  readonly context?: Context;
}

function synthesizeAlone({ nodeOptions = [], context = {} }: AppRun) {
  const env = { CDK_CONTEXT_JSON: JSON.stringify(contextOf(context)), CDK_VALIDATION: 'false' };
  return synthesize('node', [...nodeOptions, 'bin/auth-service.ts'], env);
}

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly template?: string;
  readonly findings?: unknown;
  readonly stack?: unknown;
}

/** Runs a command in a separate folder; the result is cached, because the same inputs give the same result. */
function synthesize(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  outputOptions: (output: string) => string[] = () => [],
): Promise<Result> {
  return rememberResult({ command, args, env }, async () => {
    const output = mkdtempSync(join(workDir, 'out-'));
    const result = await run(command, [...args, ...outputOptions(output)], { ...env, CDK_OUTDIR: output });
    return result.code === 0 ? { ...result, ...readOutput(output) } : result;
  });
}

function readOutput(output: string): Pick<Result, 'template' | 'findings' | 'stack'> {
  const read = (name: string) => readFileSync(join(output, name), 'utf8');
  const [template = ''] = globSync('AuthService-*.template.json', { cwd: output });
  return {
    template: read(template),
    findings: JSON.parse(read('validation-report.json')).pluginReports,
    stack: JSON.parse(read('manifest.json')).artifacts[template.replace('.template.json', '')],
  };
}

async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Result> {
  try {
    return { code: 0, ...(await runFile(command, args, { cwd: project, env: { ...offline, ...env } })) };
  } catch (error) {
    const { code, stdout, stderr } = error as Result;
    return { code, stdout, stderr };
  }
}
