import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runCli } from './run-cli.ts';
import { type StubService, startStub } from './stub-service.ts';
import { testKey } from './verify-sigv4.ts';
import { user } from './views.ts';

const startUrl = 'https://company.awsapps.com/start';

/** Profiles whose own way to credentials fails. */
const broken = `[profile expired]
sso_start_url = ${startUrl}
sso_account_id = 111122223333
sso_role_name = Admin
sso_region = eu-west-1
[profile vault]
credential_process = /bin/sh -c "echo hidden-argument >/dev/null; echo The vault is locked. >&2; exit 3"
[profile garbage]
credential_process = /bin/echo none
[profile assumed]
role_arn = arn:aws:iam::111122223333:role/operator
source_profile = nobody
[profile session]
sso_session = gone
sso_account_id = 111122223333
sso_role_name = Admin
[profile half]
aws_access_key_id = AKIATEST
[default]
credential_process = /bin/sh -c "echo The default vault is locked. >&2; exit 3"
`;

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
  mkdirSync(join(home, '.aws/sso/cache'), { recursive: true });
  const expired = { startUrl, region: 'eu-west-1', accessToken: 'x', expiresAt: '2020-01-01T00:00:00Z' };
  const session = createHash('sha1').update(startUrl).digest('hex');
  writeFileSync(join(home, `.aws/sso/cache/${session}.json`), JSON.stringify(expired));
  writeFileSync(join(home, 'broken'), broken);
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

describe('a profile whose way to credentials fails', () => {
  const brokenFile = () => ({
    AWS_CONFIG_FILE: join(home, 'broken'),
    AWS_SHARED_CREDENTIALS_FILE: '/none/credentials',
  });

  test.each([
    [
      'expired',
      /: The SSO session associated with this profile has expired\./,
      'Sign in with: aws sso login --profile expired',
    ],
    ['vault', /: its credential_process failed: The vault is locked\.\n/, 'Run the command by hand: it is in '],
    ['garbage', /: Profile garbage credential_process returned invalid JSON\.\n/, 'Run the command by hand: it is in '],
    [
      'assumed',
      /: Could not resolve credentials using profile: \[nobody\]/,
      'Check role_arn, source_profile and mfa_serial in ',
    ],
    [
      'session',
      /: it names the sso_session gone, and AWS's configuration has no section \[sso-session gone\]\.\n/,
      'Correct it in ',
    ],
    ['half', /: Could not resolve credentials using profile: \[half\]/, 'Check the access key in '],
  ])('%s: the error is its own cause, and what to do', async (profile, cause, advice) => {
    const { code, stderr } = await show([...toStub(), '--profile', profile], brokenFile());
    expect([code, stub.requests]).toEqual([2, []]);
    expect(stderr).toMatch(
      new RegExp(`^error: No AWS credentials for the profile ${profile} \\(from --profile\\)${cause.source}`),
    );
    expect(stderr).toContain(`  ${advice}`);
    expect(stderr).not.toContain('hidden-argument');
  });

  test('is named if it is the default one', async () => {
    const { code, stderr } = await show(toStub(), {
      ...brokenFile(),
      AWS_ACCESS_KEY_ID: '',
      AWS_SECRET_ACCESS_KEY: '',
    });
    expect([code, stub.requests]).toEqual([2, []]);
    expect(stderr).toContain(
      'error: No AWS credentials: its credential_process failed: The default vault is locked.\n',
    );
  });

  test('is not asked if the environment has a key and names no profile', async () => {
    expect(await show([...toStub(), '--json'], brokenFile())).toMatchObject({ code: 0, stderr: '' });
  });
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
