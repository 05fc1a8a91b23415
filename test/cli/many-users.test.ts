import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { startBundles, type TestService } from '../support/start-service.ts';
import { runHere } from './run-here.ts';
import { makeStubFolder } from './stub-folder.ts';

let service: TestService;
let place: ReturnType<typeof makeStubFolder>;
let folder: string;
const manage = manageClient(() => service);
beforeAll(async () => {
  service = await startBundles();
  place = makeStubFolder(service.manageUrl, { ...service.accessKey, region: 'local' });
});
beforeEach(() => {
  folder = mkdtempSync(join(place.folder, 'many-'));
});
afterAll(async () => {
  place.remove();
  await service.stop();
});

const run = (...args: readonly string[]) => runHere(args, { cwd: place.folder });
const fileOf = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const userOf = async (userId: string) => (await manage('iam', 'GET', `/users/${encodeURIComponent(userId)}`)).body;
const historyOf = async (userId: string) => (await manage('iam', 'GET', `/users/${userId}/changes`)).body.items;
/** The command in the note on standard error. */
const undoOf = (stderr: string) => /Undo with: auth-service (.+)/.exec(stderr)?.[1]?.split(' ') ?? [];

describe('grants and the status of the users in a file', () => {
  test('a role is assigned to all and revoked from all, and either is undone by the id that the command shows', async () => {
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
    const undone = await run(...undoOf(revoked.stderr));
    expect([undone.code, undone.stdout, await members()]).toEqual([0, 'Undid 2 of 2 changes.\n', userIds.toSorted()]);
  });

  test('all are deactivated, and undo activates them again, except users changed since', async () => {
    const [one, later] = [await newUser(), await newUser()];
    const file = fileOf('ids.txt', `${one}\n${later}\n`);
    const { stdout, stderr } = await run('users', 'set-status', '--users-file', file, 'inactive', '--reason', 'left');
    expect(stdout).toBe('2 users: 2 changed, 0 unchanged, 0 failed.\n');
    await manage('iam', 'PATCH', `/users/${later}`, { body: { displayName: 'Later' } });
    const undone = await run(...undoOf(stderr));
    expect(undone.stdout).toMatch(new RegExp(`^${later} +version_mismatch`, 'm'));
    expect(undone.stdout).toContain('Undid 1 of 2 changes.\n');
    expect([(await userOf(one)).status, (await userOf(later)).status]).toEqual(['active', 'inactive']);
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

describe('users import', () => {
  const table = (...rows: readonly string[]) => ['userId;displayName;email;status', ...rows, ''].join('\r\n');

  test('creates and updates; a dry run reports the same and writes nothing; a second run changes no user', async () => {
    const known = await newUser();
    const file = fileOf(
      'people.csv',
      `\uFEFF${table(`${known};Known One;known@example.org;`, "'-new;O'Neill;;inactive", 'plain;;;active')}`,
    );
    const preview = await run('users', 'import', file, '--dry-run');
    expect(preview.stdout).toBe('Dry run, nothing was written: 3 users: 3 changed, 0 unchanged, 0 failed.\n');
    expect((await userOf('-new')).code).toBe('user_not_found');
    const done = await run('users', 'import', file);
    expect([done.code, done.stdout]).toEqual([0, '3 users: 3 changed, 0 unchanged, 0 failed.\n']);
    // Only a status can be undone, and no existing user has another one.
    expect(done.stderr).not.toContain('Undo with');
    expect(await userOf(known)).toMatchObject({ displayName: 'Known One', email: 'known@example.org' });
    expect(await userOf('-new')).toMatchObject({ displayName: "O'Neill", email: null, status: 'inactive' });
    const again = await run('users', 'import', file);
    expect(again.stdout).toBe('3 users: 0 changed, 3 unchanged, 0 failed.\n');
    expect(await historyOf(known)).toHaveLength(2);
  });

  test('reports failed users, and keeps values without a column in the file', async () => {
    const known = await newUser();
    await manage('iam', 'PATCH', `/users/${known}`, { body: { displayName: 'Stays' } });
    const failures = join(folder, 'failed.txt');
    const file = fileOf('people.csv', `userId,email,team\n${known},k@example.org,a\nwrong-mail,no address,b\n`);
    const { code, stdout, stderr } = await run('users', 'import', file, '--failures-file', failures);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('Ignored columns: team (known: userId, displayName, email, status)\n'),
    ]);
    expect(stdout).toContain('2 users: 1 changed, 0 unchanged, 1 failed.\n');
    expect(readFileSync(failures, 'utf8')).toMatch(/^wrong-mail # invalid_request: .*e-mail address/);
    expect(await userOf(known)).toMatchObject({ displayName: 'Stays', email: 'k@example.org' });
  });

  test('a missing column or an empty cell changes nothing: a blocked user stays blocked, and no name is lost', async () => {
    const [one, other] = [await newUser(), await newUser()];
    for (const userId of [one, other]) {
      await manage('iam', 'PATCH', `/users/${userId}`, { body: { displayName: 'Stays', email: 's@example.org' } });
      await manage('iam', 'PUT', `/users/${userId}/status`, { body: { status: 'inactive', reason: 'left' } });
    }
    const without = fileOf('without.csv', `userId,email\n${one},\n${other},new@example.org\n`);
    expect((await run('users', 'import', without)).stdout).toBe('2 users: 1 changed, 1 unchanged, 0 failed.\n');
    const empty = fileOf('empty.csv', table(`${one};;;`, `${other};Renamed;;`));
    expect((await run('users', 'import', empty)).stdout).toBe('2 users: 1 changed, 1 unchanged, 0 failed.\n');
    expect(await userOf(one)).toMatchObject({ status: 'inactive', displayName: 'Stays', email: 's@example.org' });
    expect(await userOf(other)).toMatchObject({ status: 'inactive', displayName: 'Renamed', email: 'new@example.org' });
  });

  test('activates inactive users only with --reactivate, says how many, and is undone by the id of the bulk', async () => {
    const [left, other, stays] = [await newUser(), await newUser(), await newUser()];
    for (const userId of [left, other]) {
      await manage('iam', 'PUT', `/users/${userId}/status`, { body: { status: 'inactive', reason: 'left' } });
    }
    const created = `${left}-new`;
    const rows = [`${stays};Renamed;;`, `${left};;;active`, `${other};;;active`, `${created};;;inactive`];
    const file = fileOf('people.csv', table(...rows));
    for (const more of [[], ['--dry-run']]) {
      const { code, stderr } = await run('users', 'import', file, ...more);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/activates 2 inactive users\. .*\n.*--reactivate/)]);
    }
    expect([(await userOf(left)).status, (await userOf(stays)).displayName]).toEqual(['inactive', null]);
    expect((await userOf(created)).code).toBe('user_not_found');

    const done = await run('users', 'import', file, '--reactivate', '--json');
    expect(done.stderr).toContain('Activating 2 inactive users.\n');
    const { bulkId, undo, ...tally } = JSON.parse(done.stdout);
    expect([done.code, tally]).toEqual([0, { changed: 4, unchanged: 0, failed: 0, notSent: 0, failures: [] }]);
    expect(undo).toBe(`auth-service bulk undo ${bulkId}`);
    expect([(await userOf(left)).status, (await userOf(created)).status]).toEqual(['active', 'inactive']);

    // A user created as inactive was never active, and undo does not activate the user.
    const [, ...undoing] = undo.split(' ');
    expect((await run(...undoing)).stdout).toBe('Undid 2 of 2 changes.\n');
    const statuses = await Promise.all([left, other, created].map(async (userId) => (await userOf(userId)).status));
    expect([statuses, (await userOf(stays)).displayName]).toEqual([['inactive', 'inactive', 'inactive'], 'Renamed']);
  });

  test('a dry run reports the same outcome for each user as the run', async () => {
    const known = await newUser();
    const file = fileOf(
      'people.csv',
      table(`${known};;no address;inactive`, `${known}-a;${'x'.repeat(101)};;`, `${known}-b;Fine;;`),
    );
    const preview = await run('users', 'import', file, '--dry-run');
    expect(preview.stdout).toContain('Dry run, nothing was written: 3 users: 1 changed, 0 unchanged, 2 failed.\n');
    const done = await run('users', 'import', file);
    expect([preview.code, preview.stdout.replace('Dry run, nothing was written: ', '')]).toEqual([
      done.code,
      done.stdout,
    ]);
    expect((await userOf(known)).status).toBe('active');
  });

  test('never mistakes the user with an e-mail address for the user with the same id', async () => {
    const other = await newUser();
    await manage('iam', 'PATCH', `/users/${other}`, { body: { email: 'id@example.org' } });
    const file = fileOf('people.csv', 'userId,displayName\nid@example.org,Somebody New\n');
    expect((await run('users', 'import', file)).stdout).toBe('1 user: 1 changed, 0 unchanged, 0 failed.\n');
    expect(await userOf('id@example.org')).toMatchObject({ displayName: 'Somebody New' });
    expect((await userOf(other)).displayName).toBeNull();
  });

  test.each([
    ['UTF-16', Buffer.from('\uFEFFuserId\nada\n', 'utf16le'), 'is not UTF-8'],
    ['no column of ids', 'email\na@b.c\n', 'has no column userId'],
    ['two columns of one title', 'userId,email,email\nada,a,b\n', 'Two columns have the title "email"'],
    ['a row without an id', 'userId,email\n,a@b.c\n', 'line 2: "" is not a valid user id'],
    ['a duplicate id', 'userId\nada\nada\n', 'line 3: duplicate user id ada'],
    ['an unknown status', 'userId,status\nada,disabled\n', 'line 2: status must be "active" or "inactive"'],
    ['a row of too few cells', 'userId,email,status\nada,a@b.c,inactive\nbob,b@b.c\n', 'Line 3 has 2 cells'],
  ])('refuses a file with %s as a whole', async (_, content, message) => {
    const file = join(folder, 'people.csv');
    writeFileSync(file, content);
    const { code, stderr } = await run('users', 'import', file);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('users export', () => {
  test('writes all users, and importing that file changes no user', async () => {
    await manage('iam', 'PUT', `/users/${encodeURIComponent('=cmd')}`, {
      body: { displayName: '\'=HYPERLINK("x"), y; z', email: null },
    });
    const out = join(folder, 'people.csv');
    const exported = await run('users', 'export', '--out', out);
    expect([exported.code, exported.stderr]).toEqual([0, expect.stringMatching(/^Exported \d+ users to /m)]);
    expect(readFileSync(out, 'utf8')).toContain('"\'=cmd",');
    const { stdout, stderr } = await run('users', 'import', out);
    expect(stdout).toMatch(/^(\d+) users: 0 changed, \1 unchanged, 0 failed\.\n$/);
    expect(stderr).toContain('Ignored columns: createdAt (known: ');
  });

  test('continues after a cursor at the end of the file', async () => {
    const out = join(folder, 'people.csv');
    const whole = (await run('users', 'export')).stdout;
    const { body } = await manage('iam', 'GET', '/users?limit=100');
    const first = await manage('iam', 'GET', '/users?limit=2');
    writeFileSync(out, whole.split('\r\n').slice(0, 3).join('\r\n').concat('\r\n'));
    await run('users', 'export', '--out', out, '--cursor', String(first.body.cursor));
    expect(readFileSync(out, 'utf8')).toBe(whole);
    expect(body.items.length).toBeGreaterThan(2);
  });
});

test('bulk undo says when it finds nothing', async () => {
  const { code, stderr } = await run('bulk', 'undo', '01KB3ZC4N7Z3QF4V6E5T8S9R2W');
  expect([code, stderr]).toEqual([1, expect.stringContaining('This bulk id matches no change.')]);
});
