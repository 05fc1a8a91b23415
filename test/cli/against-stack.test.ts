import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { type RunningStack, runStack } from '../../local/run-stack.ts';
import { withoutSettling } from '../support/environments.ts';
import { sendSigned } from '../support/send-request.ts';
import { nodeVersions } from '../support/tools.ts';
import { installCli } from './install-cli.ts';
import { runCli } from './run-cli.ts';

const root = Buffer.alloc(32, 7).toString('base64');
let dynamodb: DynamodbProcess;
let stack: RunningStack;
let folder: string;
beforeAll(async () => {
  dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
  const assembly = process.env.TEST_ASSEMBLY ?? '';
  const environment = withoutSettling;
  stack = await runStack({ assembly, dynamodb: dynamodb.endpoint, tableName: 'auth-service-cli', root, environment });
  folder = mkdtempSync(join(tmpdir(), 'auth-service-cli-'));
  mkdirSync(join(folder, '.local'));
  const { manageUrl, accessKey } = stack;
  const example = { manageUrl, region: 'local', ...accessKey };
  writeFileSync(join(folder, '.local/example.json'), JSON.stringify(example));
});
afterAll(async () => {
  await stack?.close();
  await dynamodb?.stop();
  rmSync(folder, { recursive: true });
});

/** The output of a command that must succeed. */
async function manage(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(args, { cwd: folder });
  expect([args, code, stderr]).toEqual([args, 0, expect.not.stringContaining('error:')]);
  return stdout;
}

/** Every character with a special meaning in a URL, a signature or a shell. */
const awkwardId = "auth0|1+a@b's(*)!;,$&";

test('sets up an application and a key, sends a signed request, and deletes them again', async () => {
  await manage('apps', 'create', 'shop', 'The Shop');
  await manage('roles', 'define', 'shop', 'editor');
  await manage('users', 'create', awkwardId, '--name', 'Ada');
  await manage('grants', 'assign', awkwardId, 'shop', 'editor', '--expires', '30d');
  expect(JSON.parse(await manage('users', 'find', 'ad', '--json'))).toMatchObject({ items: [{ userId: awkwardId }] });
  expect(await manage('repair')).toMatch(/^Checked [\d,]+ items, found 0 differences\.\n$/);
  const key = JSON.parse(await manage('keys', 'issue', 'shop', '--scope', 'access:read', '--json'));
  const ask = () => sendSigned(stack.url, key, ['GET', `/api/service/users/${encodeURIComponent(awkwardId)}/access`]);
  expect(await ask()).toMatchObject({ status: 200, body: { effectiveStatus: 'enabled', roles: [{ name: 'editor' }] } });

  await manage('access', 'set', awkwardId, 'shop', 'disabled', '--reason', 'card stolen', '--until', '2h');
  expect(await ask()).toMatchObject({ status: 200, body: { effectiveStatus: 'disabled', reason: 'card stolen' } });
  expect(await manage('access', 'show', awkwardId, 'shop')).toMatch(/Blocked until .*\(in 2 hours\)/);
  expect(await manage('history', '--user', awkwardId, '--export', 'audit.zip')).toMatch(/^Exported \d+ changes and/);
  expect(await manage('history', 'verify', 'audit.zip')).toContain('changes.csv says the same as the changes.');
  const history = (await manage('history', 'app', 'shop', '--all', '--json')).trimEnd().split('\n');
  expect(history.map((line) => JSON.parse(line).action)).toEqual([
    'access.changed',
    'key.issued',
    'role.assigned',
    'role.defined',
    'application.created',
  ]);
  expect(history.join()).not.toContain(key.secret);
  const blocked = ['--since', '1h', '--by', 'local', '--action', 'access.changed'];
  const { items } = JSON.parse(await manage('history', ...blocked, '--json'));
  expect(items).toMatchObject([{ userId: awkwardId, appId: 'shop', reason: 'card stolen' }]);

  await manage('keys', 'revoke', 'shop', key.keyId);
  expect(await ask()).toMatchObject({ status: 401, body: { code: 'key_revoked' } });
  await manage('apps', 'delete', 'shop', '--force', '--yes');
  expect(await runCli(['apps', 'show', 'shop'], { cwd: folder })).toMatchObject({ code: 4 });
});

test('sets the access of a list of users and names those that do not exist', async () => {
  await manage('apps', 'create', 'wiki');
  await manage('users', 'create', 'grace');
  const args = ['access', 'set', '--users-file', '-', 'wiki', 'disabled'];
  const { code, stdout } = await runCli(args, { cwd: folder, input: 'grace\nnobody\n' });
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^nobody {2}user_not_found .*\n2 users: 1 changed, 0 unchanged, 1 failed\.$/m),
  ]);
  expect(await manage('access', 'list', 'wiki', '--status', 'disabled')).toContain('grace');
});

test('the function URL refuses a wrong key pair before the service does', async () => {
  const { code, stderr } = await runCli(['apps', 'list'], {
    cwd: folder,
    url: stack.manageUrl.replace('127.0.0.1', 'localhost'),
    env: { AWS_REGION: 'local' },
  });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^error: The response was 403: .*\n {2}Check the credentials/),
  ]);
});

test('the installed package calls a named deployment, signed, on the oldest installed Node.js', async () => {
  const cli = await installCli();
  const { node = '' } = nodeVersions.find((each) => existsSync(each.node)) ?? {};
  const { manageUrl, accessKey } = stack;
  const env = {
    HOME: cli.folder,
    AWS_ACCESS_KEY_ID: accessKey.accessKeyId,
    AWS_SECRET_ACCESS_KEY: accessKey.secretAccessKey,
  };
  await cli.run(node, ['deployments', 'add', 'here', manageUrl, '--region', 'local'], env);
  await cli.run(node, ['use', 'here'], env);
  const { code, stdout, stderr } = await cli.run(node, ['whoami'], env);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`deployment  here, ${manageUrl} (from auth-service use)`);
  const created = await cli.run(node, ['apps', 'create', 'installed', '--json'], env);
  expect(JSON.parse(created.stdout)).toMatchObject({ appId: 'installed', version: 1 });
  const forged = await cli.run(node, ['apps', 'list', '--json'], { ...env, AWS_SECRET_ACCESS_KEY: 'another' });
  expect([forged.code, JSON.parse(forged.stderr).status]).toEqual([1, 403]);
  cli.remove();
});
