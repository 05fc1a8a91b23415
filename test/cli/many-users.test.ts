import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { describeCommands } from './describe-commands.ts';

const { manage, run, pathOf, fileOf } = describeCommands();
const userOf = async (userId: string) => (await manage('iam', 'GET', `/users/${encodeURIComponent(userId)}`)).body;

describe('grants and the status of the users in a file', () => {
  test('a role is assigned to all and revoked from all, after a dry run', async () => {
    const appId = await newApplication(['editor']);
    const userIds = [await newUser(), await newUser()];
    const file = fileOf('ids.txt', userIds.join('\n'));
    const members = async () => {
      const { body } = await manage('iam', 'GET', `/applications/${appId}/roles/editor/users`);
      return body.items.map(({ userId }: { userId: string }) => userId).sort();
    };
    const preview = await run('grants', 'assign', '--users-file', file, appId, 'editor', '--dry-run');
    expect([preview.code, preview.stdout]).toEqual([
      0,
      'Dry run, nothing was written: 2 users: 2 changed, 0 unchanged, 0 failed.\n',
    ]);
    expect(await members()).toEqual([]);
    await run('grants', 'assign', '--users-file', file, appId, 'editor', '--expires', '30d');
    expect(await members()).toEqual(userIds.toSorted());
    const revoked = await run('grants', 'revoke', '--users-file', file, appId, 'editor');
    expect([revoked.stdout, await members()]).toEqual(['2 users: 2 changed, 0 unchanged, 0 failed.\n', []]);
  });

  test('several users on a line are all deactivated, and a line is one user if that is its id', async () => {
    const [one, two, three, whole] = [await newUser(), await newUser(), await newUser(), `uid=${randomUUID()},ou=x`];
    await manage('iam', 'PUT', `/users/${encodeURIComponent(whole)}`, { body: {} });
    const file = fileOf('ids.txt', `${one}; ${two};${three}\r\n${whole}\n`);
    const { stdout } = await run('users', 'set-status', '--users-file', file, 'inactive');
    expect(stdout).toBe('4 users: 4 changed, 0 unchanged, 0 failed.\n');
    const users = await Promise.all([one, two, three, whole].map(userOf));
    expect(users.map(({ status }) => status)).toEqual(Array(4).fill('inactive'));
  });

  test.each([
    [
      ['grants', 'assign', '--users-file', 'x', 'ada', 'billing', 'editor'],
      'With --users-file, the arguments are <app> and <role>.',
    ],
    [['grants', 'revoke', 'ada', 'billing'], "missing required argument 'role'"],
    [['grants', 'assign', 'ada', 'billing', 'editor', '--dry-run'], '--dry-run requires --users-file'],
    [
      ['users', 'set-status', '--users-file', 'x', 'ada', 'inactive'],
      'With --users-file, the only argument is active or inactive.',
    ],
    [['users', 'set-status', 'ada'], "missing required argument 'status'"],
  ])('%j is refused before anything is sent', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('users export', () => {
  test('writes all users, each in the columns of an import', async () => {
    const name = '\'=HYPERLINK("x"), y; z';
    await manage('iam', 'PUT', `/users/${encodeURIComponent('=cmd')}`, { body: { displayName: name, email: null } });
    const out = pathOf('people.csv');
    const exported = await run('users', 'export', '--out', out);
    expect([exported.code, exported.stderr]).toEqual([0, expect.stringMatching(/^Exported \d+ users to /m)]);
    expect(readFileSync(out, 'utf8')).toContain('"\'=cmd",');
  });

  test('continues after a cursor at the end of the file', async () => {
    const out = pathOf('people.csv');
    const whole = (await run('users', 'export')).stdout;
    const { body } = await manage('iam', 'GET', '/users?limit=100');
    const first = await manage('iam', 'GET', '/users?limit=2');
    writeFileSync(out, whole.split('\r\n').slice(0, 3).join('\r\n').concat('\r\n'));
    await run('users', 'export', '--out', out, '--cursor', String(first.body.cursor));
    expect(readFileSync(out, 'utf8')).toBe(whole);
    expect(body.items.length).toBeGreaterThan(2);
  });
});
