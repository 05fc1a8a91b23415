import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { describeCommands } from '#test/cli/describe-commands.ts';
import { newApplication } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';

const { manage, run, pathOf, fileOf } = describeCommands();
const idsOf = (userIds: readonly string[]) => fileOf('ids.txt', userIds.join('\n'));
const statusOf = async (userId: string) => (await manage('iam', 'GET', `/users/${userId}`)).body.status;
/** The command in the note on standard error. */
const undoOf = (stderr: string) => /Undo with: auth-service (.+)/.exec(stderr)?.[1]?.split(' ') ?? [];

test('the roles that a file revokes are given back by the command that is shown', async () => {
  const appId = await newApplication(['editor']);
  const userIds = [await newUser(), await newUser()];
  const file = idsOf(userIds);
  await run('grants', 'assign', '--users-file', file, appId, 'editor', '--expires', '30d');
  const { stderr } = await run('grants', 'revoke', '--users-file', file, appId, 'editor');
  const undone = await run(...undoOf(stderr));
  expect([undone.code, undone.stdout]).toEqual([0, 'Undid 2 of 2 changes.\n']);
  const { body } = await manage('iam', 'GET', `/applications/${appId}/roles/editor/users`);
  expect(body.items.map(({ userId }: { userId: string }) => userId).sort()).toEqual(userIds.toSorted());
});

test('the users that a file deactivates are activated again, except those changed since', async () => {
  const [one, later] = [await newUser(), await newUser()];
  const file = idsOf([one, later]);
  const { stderr } = await run('users', 'set-status', '--users-file', file, 'inactive', '--reason', 'left');
  await manage('iam', 'PATCH', `/users/${later}`, { body: { displayName: 'Later' } });
  const undone = await run(...undoOf(stderr));
  expect(undone.stdout).toMatch(new RegExp(`^${later} +version_mismatch`, 'm'));
  expect(undone.stdout).toContain('Undid 1 of 2 changes.\n');
  expect([await statusOf(one), await statusOf(later)]).toEqual(['active', 'inactive']);
});

test('bulk undo says when it finds nothing', async () => {
  const { code, stderr } = await run('bulk', 'undo', '01KB3ZC4N7Z3QF4V6E5T8S9R2W');
  expect([code, stderr]).toEqual([1, expect.stringContaining('This bulk id matches no change.')]);
});

test('importing what users export writes changes no user', async () => {
  await manage('iam', 'PUT', `/users/${encodeURIComponent('=cmd')}`, {
    body: { displayName: '\'=HYPERLINK("x"), y; z', email: null },
  });
  const out = pathOf('people.csv');
  await run('users', 'export', '--out', out);
  expect(readFileSync(out, 'utf8')).toContain('"\'=cmd",');
  const { stdout, stderr } = await run('users', 'import', out);
  expect(stdout).toMatch(/^(\d+) users: 0 changed, \1 unchanged, 0 failed\.\n$/);
  expect(stderr).toContain('Ignored columns: createdAt (known: ');
});
