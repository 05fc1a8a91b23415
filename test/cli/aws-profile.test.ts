import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runCli } from './run-cli.ts';
import { type StubService, startStub } from './stub-service.ts';
import { testKey } from './verify-sigv4.ts';
import { user } from './views.ts';

let stub: StubService;
let home: string;
beforeAll(async () => {
  stub = await startStub();
  home = mkdtempSync(join(tmpdir(), 'auth-service-profiles-'));
  mkdirSync(join(home, '.aws'));
  const { accessKeyId, secretAccessKey } = testKey;
  const ops = `[ops]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`;
  writeFileSync(join(home, '.aws/credentials'), ops);
  writeFileSync(join(home, '.aws/config'), '[profile dev]\nregion = eu-west-1\n[sso-session main]\nsso_region = x\n');
  mkdirSync(join(home, 'names'));
  const deployments = { prod: { url: stub.url, profile: 'prod-admin' }, test: { url: stub.url, profile: 'ops' } };
  writeFileSync(join(home, 'names/config.json'), JSON.stringify({ deployments }));
});
beforeEach(() => {
  stub.reset();
  stub.on('GET /users/ada', { body: user });
});
afterAll(async () => {
  rmSync(home, { recursive: true });
  await stub.close();
});

/** Credentials in the environment must not take the place of a profile that was named. */
const show = (more: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runCli(['users', 'show', 'ada', ...more], {
    env: { HOME: home, AUTH_SERVICE_CONFIG_DIR: join(home, 'names'), ...env },
  });
const toStub = () => ['--url', stub.url];

describe('an AWS profile that does not exist', () => {
  test.each<[string, () => ReturnType<typeof show>, string]>([
    ['--profile', () => show([...toStub(), '--profile', 'nope']), 'nope (from --profile)'],
    ['a deployment', () => show(['--deployment', 'prod']), 'prod-admin (from the deployment prod)'],
    ['the environment', () => show(toStub(), { AWS_PROFILE: 'gone' }), 'gone (from AWS_PROFILE)'],
  ])('is named if it comes from %s, with the files and the profiles that exist', async (_, run, named) => {
    const { code, stderr } = await run();
    const [name] = named.split(' ');
    expect(stderr.split('\n')).toEqual([
      `error: There is no AWS profile ${named}.`,
      `  Looked for it in ${home}/.aws/config and ${home}/.aws/credentials.`,
      '  Known profiles: dev, ops.',
      `  To add it: aws configure --profile ${name}`,
      '',
    ]);
    expect([code, stub.requests]).toEqual([2, []]);
  });

  test('is looked for in the files that the environment names', async () => {
    const env = { AWS_CONFIG_FILE: '/none/config', AWS_SHARED_CREDENTIALS_FILE: join(home, '.aws/credentials') };
    const { stderr } = await show([...toStub(), '--profile', 'nope'], env);
    expect(stderr).toContain(`Looked for it in /none/config and ${home}/.aws/credentials.\n  Known profiles: ops.\n`);
  });
});

test.each([
  ['an option', ['--profile', 'ops']],
  ['a deployment', ['--deployment', 'test']],
])('a profile that exists signs, named by %s', async (_, options) => {
  const more = options[0] === '--profile' ? [...toStub(), ...options] : options;
  expect(await show([...more, '--json'], { AWS_SECRET_ACCESS_KEY: 'of somebody else' })).toMatchObject({
    code: 0,
    stderr: '',
  });
});

test('a profile without credentials is named, with the command that signs in', async () => {
  const { code, stderr } = await show([...toStub(), '--profile', 'dev']);
  expect([code, stub.requests]).toEqual([2, []]);
  expect(stderr).toMatch(/^error: No AWS credentials for the profile dev \(from --profile\): .*\n/);
  expect(stderr).toContain('Sign in with: aws sso login --profile dev\n');
});

test('a deployment that does not exist is named, with the file and the names that exist', async () => {
  const { code, stderr } = await show(['--deployment', 'staging']);
  expect([code, stderr.split('\n').slice(0, 2)]).toEqual([
    2,
    [
      'error: There is no deployment staging. Known names: prod, test, local.',
      `  The names are in ${home}/names/config.json.`,
    ],
  ]);
});
