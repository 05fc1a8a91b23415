import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runHere } from '#test/cli/run-here.ts';
import { type DynamodbProcess, startDynamodb } from '../../../../local/dynamodb-process.ts';
import { type RunningStack, runStack } from '../../../../local/run-stack.ts';

const root = Buffer.alloc(32, 7).toString('base64');
let dynamodb: DynamodbProcess;
let stack: RunningStack;
let folder: string;
beforeAll(async () => {
  dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
  const assembly = process.env.TEST_ASSEMBLY ?? '';
  stack = await runStack({ assembly, dynamodb: dynamodb.endpoint, tableName: 'auth-service-offboard', root });
  folder = mkdtempSync(join(tmpdir(), 'auth-service-cli-'));
  mkdirSync(join(folder, '.local'));
  const { manageUrl, accessKey } = stack;
  writeFileSync(join(folder, '.local/example.json'), JSON.stringify({ manageUrl, region: 'local', ...accessKey }));
  for (const appId of ['billing', 'crm', 'wiki']) {
    await manage('apps', 'create', appId);
    for (const role of ['editor', 'viewer']) await manage('roles', 'define', appId, role);
  }
});
afterAll(async () => {
  await stack?.close();
  await dynamodb?.stop();
  rmSync(folder, { recursive: true });
});

const run = (...args: readonly string[]) => runHere(args, { cwd: folder });
async function manage(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect([args, code, stderr]).toEqual([args, 0, expect.not.stringContaining('error:')]);
  return stdout;
}
const json = async (...args: readonly string[]) => JSON.parse(await manage(...args, '--json'));
const rolesOf = async (userId: string, appId: string) =>
  (await json('access', 'show', userId, appId)).roles.map(({ name }: { name: string }) => name);

/** A user with two roles in billing and one in crm, blocked in wiki. */
let leaver: string;
let created = 0;
beforeEach(async () => {
  leaver = `leaver-${++created}`;
  await manage('users', 'create', leaver);
  for (const role of ['editor', 'viewer']) await manage('grants', 'assign', leaver, 'billing', role);
  await manage('grants', 'assign', leaver, 'crm', 'viewer', '--expires', '30d');
  await manage('access', 'set', leaver, 'wiki', 'disabled', '--reason', 'spam');
});

test('offboarding deactivates a user, removes all roles as one bulk with one reason, and prints what it took', async () => {
  expect(await json('users', 'list', '--has-role', '--all')).toMatchObject({ userId: leaver });
  const { code, stdout, stderr } = await run('users', 'offboard', leaver, '--reason', 'left', '--ticket', 'HR-77');
  expect([code, stdout]).toEqual([0, expect.stringContaining('removed 3 of 3 roles')]);
  expect(stdout).toMatch(/status +inactive\n/);
  expect(stdout).toMatch(/lost access +billing, crm\n/);
  expect(stdout).toMatch(/blocks kept +wiki\n/);
  expect(stdout).toMatch(/billing +editor +- +removed\n/);
  const [, bulkId = ''] = /bulk +(\w{26})/.exec(stdout) ?? [];
  expect(stderr).toContain(`users reinstate ${leaver} ${bulkId}`);
  const lines = (await manage('history', 'user', leaver, '--all', '--json')).trimEnd().split('\n');
  const changes = lines.map((line) => JSON.parse(line)).filter((change) => change.bulkId === bulkId);
  expect(changes.map(({ action }) => action).sort()).toEqual([...Array(3).fill('role.revoked'), 'user.status.changed']);
  expect(changes).toMatchObject(Array(4).fill({ reason: 'left', ticket: 'HR-77' }));
  expect((await manage('users', 'list', '--has-role', '--all', '--json')).trim()).not.toContain(leaver);

  await manage('users', 'reinstate', leaver, bulkId, '--reason', 'came back');
  expect(await json('users', 'show', leaver)).toMatchObject({ status: 'active' });
  expect([await rolesOf(leaver, 'billing'), await rolesOf(leaver, 'crm')]).toEqual([['editor', 'viewer'], ['viewer']]);
});

test('bulk undo undoes an offboarding as one', async () => {
  const [, bulkId = ''] = /bulk +(\w{26})/.exec(await manage('users', 'offboard', leaver)) ?? [];
  await manage('bulk', 'undo', bulkId, '--reason', 'the wrong user');
  expect(await json('users', 'show', leaver)).toMatchObject({ status: 'active' });
  expect([await rolesOf(leaver, 'billing'), await rolesOf(leaver, 'crm')]).toEqual([['editor', 'viewer'], ['viewer']]);
});

test('with --keep-roles the roles stay, and the list of inactive users with roles has the user', async () => {
  expect(await manage('users', 'offboard', leaver, '--keep-roles')).toContain('removed 0 of 3 roles');
  expect(await rolesOf(leaver, 'billing')).toEqual(['editor', 'viewer']);
  const left = await manage('users', 'list', '--status', 'inactive', '--has-role', '--all', '--json');
  expect(left).toContain(`"${leaver}"`);
});

test('a dry run takes nothing', async () => {
  expect(await manage('users', 'offboard', leaver, '--dry-run')).toMatch(
    /would be inactive[\s\S]*would remove 3 of 3 roles/,
  );
  expect(await json('users', 'show', leaver)).toMatchObject({ status: 'active' });
  expect(await rolesOf(leaver, 'billing')).toEqual(['editor', 'viewer']);
});

test('nothing is sent if an application requires a reason that is missing', async () => {
  await manage('apps', 'update', 'crm', '--require-reason', 'operators');
  const { code, stderr } = await run('users', 'offboard', leaver);
  expect([code, stderr]).toEqual([2, expect.stringContaining('requires a reason: add --reason')]);
  expect(await json('users', 'show', leaver)).toMatchObject({ status: 'active' });
  await manage('users', 'offboard', leaver, '--reason', 'left');
  await manage('apps', 'update', 'crm', '--require-reason', 'none');
});

test('reinstating says which roles did not come back, and knows only offboardings', async () => {
  const [, bulkId = ''] = /bulk +(\w{26})/.exec(await manage('users', 'offboard', leaver)) ?? [];
  await manage('access', 'set', leaver, 'billing', 'disabled');
  const { code, stderr } = await run('users', 'reinstate', leaver, bulkId);
  expect([code, stderr]).toEqual([1, expect.stringContaining('2 roles did not come back.')]);
  expect(await rolesOf(leaver, 'crm')).toEqual(['viewer']);
  const unknown = await run('users', 'reinstate', leaver, '01KB3ZC4N7Z3QF4V6E5T8S9R2W');
  expect([unknown.code, unknown.stderr]).toEqual([4, expect.stringContaining('has no offboarding with this id')]);
});
