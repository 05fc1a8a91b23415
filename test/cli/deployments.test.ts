import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { deploymentsFile } from '../../cli/service/deployments.ts';
import { findService } from '../../cli/service/find-service.ts';
import { describeStub } from './describe-stub.ts';
import { runHere } from './run-here.ts';
import { app, key, user } from './views.ts';

const functionUrl = 'https://abc123.lambda-url.eu-central-1.on.aws';
const other = 'https://def456.lambda-url.eu-west-1.on.aws';
let home: string;
let env: NodeJS.ProcessEnv;
const { stub, place } = describeStub();
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'auth-service-home-'));
  env = { AUTH_SERVICE_CONFIG_DIR: join(home, 'config') };
});
afterEach(() => rmSync(home, { recursive: true }));

const run = (line: string, more: object = {}) => runHere(line.split(' '), { cwd: place.folder, env, ...more });
const file = () => join(home, 'config/config.json');
const written = () => JSON.parse(readFileSync(file(), 'utf8'));
/** The result of `findService`, without credentials. */
function found(options: object = {}, moreEnv: NodeJS.ProcessEnv = {}, folder = home) {
  const { credentials: _, ...service } = findService(options, {
    env: { ...env, ...moreEnv },
    cwd: () => folder,
    program: 'auth-service',
  });
  return service;
}

describe('the file', () => {
  test.each([
    [{ AUTH_SERVICE_CONFIG_DIR: '/a', XDG_CONFIG_HOME: '/b', HOME: '/c' }, '/a/config.json'],
    [{ XDG_CONFIG_HOME: '/b', HOME: '/c' }, '/b/auth-service/config.json'],
    [{ HOME: '/c' }, '/c/.config/auth-service/config.json'],
    [{}, undefined],
  ])('is, with %j, %s', (given, path) => expect(deploymentsFile(given)).toBe(path));

  test('contains name, URL, region and profile, is readable only by its owner, and is the only file', async () => {
    const added = await run(`deployments add prod ${functionUrl}/ --profile ops --region eu-central-1`);
    expect([added.code, added.stdout]).toEqual([0, 'Added prod. Choose it with: auth-service use prod\n']);
    expect((await run('use prod')).stdout).toBe(`Commands now call prod, ${functionUrl}.\n`);
    const prod = { url: functionUrl, region: 'eu-central-1', profile: 'ops' };
    expect(written()).toEqual({ current: 'prod', deployments: { prod } });
    expect([statSync(file()).mode & 0o777, statSync(join(home, 'config')).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(join(home, 'config'))).toEqual(['config.json']);
  });

  test.each([
    ['no JSON', '{', 'cannot be read'],
    [
      'a member that nobody reads',
      '{"deployments":{"prod":{"url":"https://a.example","secretAccessKey":"x"}}}',
      'prod',
    ],
    ['a name that is none', '{"deployments":{"Prod!":{"url":"https://a.example"}}}', 'cannot be read'],
  ])('is refused with %s, and a command says where', async (_, text, said) => {
    mkdirSync(join(home, 'config'));
    writeFileSync(file(), text);
    const { code, stderr } = await run('deployments list');
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
    expect(stderr).toContain(file());
    expect(stderr).not.toContain('"x"');
  });

  test('rejects a URL that would send credentials unencrypted, and the name of the local run', async () => {
    expect((await run('deployments add prod http://auth.example.com')).code).toBe(2);
    expect((await run(`deployments add local ${functionUrl}`)).code).toBe(2);
    expect(readdirSync(home)).toEqual([]);
  });
});

describe('the deployment is', () => {
  beforeEach(async () => {
    await run(`deployments add prod ${functionUrl} --profile ops`);
    await run(`deployments add auth https://auth.example.com --region us-east-2`);
    await run('use prod');
  });

  test('the chosen one, even in a folder with a local run', () => {
    expect(found()).toEqual({ url: functionUrl, region: 'eu-central-1', name: 'prod', chosenBy: 'auth-service use' });
    expect(found({}, {}, place.folder).url).toBe(functionUrl);
  });

  test('the one in an option, before the environment, before the chosen one', () => {
    const both = { AUTH_SERVICE_URL: other, AUTH_SERVICE_DEPLOYMENT: 'prod' };
    expect(found({ deployment: 'auth' }, both)).toMatchObject({ name: 'auth', chosenBy: '--deployment' });
    expect(found({ url: functionUrl }, both)).toMatchObject({ name: null, chosenBy: '--url', url: functionUrl });
    expect(found({}, both)).toMatchObject({ name: null, chosenBy: 'AUTH_SERVICE_URL', url: other });
    const named = { AUTH_SERVICE_DEPLOYMENT: 'auth' };
    expect(found({}, named)).toMatchObject({ name: 'auth', chosenBy: 'AUTH_SERVICE_DEPLOYMENT', region: 'us-east-2' });
    expect(() => found({ deployment: 'auth', url: other })).toThrow('Pass either --url or --deployment, not both.');
  });

  test('the local run again after "use local", and by its name', async () => {
    expect(found({ deployment: 'local' }, {}, place.folder)).toMatchObject({ name: 'local', url: stub.url });
    await run('use local');
    expect(found({}, {}, place.folder)).toMatchObject({ name: 'local', chosenBy: 'npm start' });
    expect(Object.keys(written().deployments)).toEqual(['prod', 'auth']);
  });

  test('never an unknown or a removed one', async () => {
    expect(() => found({ deployment: 'nowhere' })).toThrow(
      'There is no deployment nowhere. Known names: prod, auth, local.',
    );
    expect((await run('deployments remove prod')).code).toBe(0);
    expect(written()).toEqual({ deployments: { auth: { url: 'https://auth.example.com', region: 'us-east-2' } } });
    expect((await run('use prod')).code).toBe(2);
  });

  test('listed, with the one in use', async () => {
    const { stdout } = await run('deployments list');
    expect(stdout).toMatch(/^NAME +IN USE +URL +REGION +PROFILE\nprod +yes +https:\S+ +- +ops\nauth +https:/);
    expect(JSON.parse((await run('deployments list --json')).stdout).items).toMatchObject([
      { name: 'prod', current: true, profile: 'ops' },
      { name: 'auth', current: false },
    ]);
  });
});

describe('before a destructive command', () => {
  beforeEach(async () => {
    await run(`deployments add prod ${stub.url}`);
    await run('use prod');
    stub.on('DELETE /users/ada', { body: { changed: true, complete: true } });
  });

  test('the deployment is shown before the question', async () => {
    const { code, stderr } = await run('users delete ada', { tty: true, typed: 'ada\n' });
    expect(stderr).toMatch(/^Deployment: prod, http:\S+\n.*This cannot be undone\. Type ada to delete the user ada: /);
    expect(code).toBe(0);
  });

  test.each([
    ['users delete ada --yes', 'DELETE /users/ada', { changed: true, complete: true }],
    [`keys revoke billing ${key.keyId}`, `DELETE /applications/billing/keys/${key.keyId}`, key],
  ])('the deployment is also shown by %s', async (line, route, body) => {
    stub.on(route, { body });
    expect((await run(line)).stderr).toContain(`Deployment: prod, ${stub.url}\n`);
  });

  test('only the URL is shown if it has no name, and the local run by its name', async () => {
    const local = await runHere(['users', 'delete', 'ada', '--yes'], { cwd: place.folder });
    expect(local.stderr).toContain(`Deployment: local, ${stub.url}\n`);
  });

  test('other commands do not show the deployment, and whoami says what chose it', async () => {
    stub.on('GET /users/ada', { body: user });
    stub.on('PATCH /applications/billing', { body: app });
    expect((await run('users show ada')).stderr).toBe('');
    expect((await run('apps rename billing Billing')).stderr).toBe('');
    stub.on('GET /operator', {
      body: { id: 'edith', via: 'iam', email: null, roles: [{ role: 'admin', appId: null }] },
    });
    expect((await run('whoami')).stdout).toContain(`deployment  prod, ${stub.url} (from auth-service use)`);
  });
});
