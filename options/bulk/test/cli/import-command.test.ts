import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { describeCommands } from '#test/cli/describe-commands.ts';
import { grantRole, newApplication, setStatus } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { fromNow } from '#test/support/timestamps.ts';

const { manage, run, pathOf, fileOf } = describeCommands();
const importOf = (content: string | Buffer, ...more: readonly string[]) => {
  return run('users', 'import', fileOf('people.csv', content), ...more);
};
const get = async (path: string) => (await manage('iam', 'GET', path)).body;
const userOf = (userId: string) => get(`/users/${encodeURIComponent(userId)}`);
const historyOf = async (userId: string) => (await get(`/users/${userId}/changes`)).items;
const accessOf = async (userId: string, appId: string) =>
  (await get(`/users/${userId}/access`)).items.find((item: { appId: string }) => item.appId === appId);
const deactivate = (userId: string) =>
  manage('iam', 'PUT', `/users/${userId}/status`, { body: { status: 'inactive', reason: 'left' } });
/** The command in the note on standard error. */
const undoOf = (stderr: string) => /Undo with: auth-service (.+)/.exec(stderr)?.[1]?.split(' ') ?? [];
const table = (...rows: readonly string[]) => ['userId;displayName;email;status', ...rows, ''].join('\r\n');

test('creates and updates; a dry run says the same and writes nothing; a second run changes no user', async () => {
  const known = await newUser();
  const content = `\uFEFF${table(`${known};Known One;known@example.org;`, "'-new;O'Neill;;inactive", 'plain;;;active')}`;
  const preview = await importOf(content, '--dry-run');
  const differences = [
    '2 users will be created.',
    '1 user will be deactivated.',
    '1 user will get another name or e-mail address.',
  ].join('\n');
  expect([preview.code, preview.stdout]).toEqual([
    0,
    `${differences}\nDry run, nothing was written: 3 users would change, 0 would not, and 0 rows of 3 would be rejected.\n`,
  ]);
  expect((await userOf('-new')).code).toBe('user_not_found');
  const done = await importOf(content);
  expect([done.code, done.stdout]).toEqual([0, '3 users: 3 changed, 0 unchanged, 0 failed.\n']);
  expect(done.stderr).toContain(differences);
  expect(await userOf(known)).toMatchObject({ displayName: 'Known One', email: 'known@example.org' });
  expect(await userOf('-new')).toMatchObject({ displayName: "O'Neill", email: null, status: 'inactive' });
  expect((await importOf(content)).stdout).toBe('3 users: 0 changed, 3 unchanged, 0 failed.\n');
  expect(await historyOf(known)).toHaveLength(2);
});

test('sets accesses and roles with their ends in one run, in several rows of one user, and undoes them', async () => {
  const [crm, shop, end] = [await newApplication(['editor', 'admin']), await newApplication([]), fromNow(3600)];
  const [fresh, known] = [`${await newUser()}-fresh`, await newUser()];
  await grantRole(known, crm, 'admin');
  const content = [
    'User ID,Display Name,application,access,access_until,role,roleStatus,roleUntil',
    `${fresh},Ada,${crm},,,editor,,${end}`,
    `${fresh},,${shop},disabled,${end},,,`,
    `${known},,${crm},disabled,,admin,revoked,`,
    '',
  ].join('\n');
  const done = await importOf(content, '--reason', 'migration');
  expect([done.code, done.stdout]).toEqual([0, '2 users: 2 changed, 0 unchanged, 0 failed.\n']);
  for (const line of [
    '1 user will be created.',
    `1 user will be blocked in ${shop}.`,
    `1 user will get the role editor in ${crm}.`,
    `1 user will lose the role admin in ${crm}.`,
  ]) {
    expect(done.stderr).toContain(line);
  }
  expect(await accessOf(fresh, shop)).toMatchObject({ status: 'disabled', until: end, reason: 'migration' });
  expect((await accessOf(fresh, crm)).roles).toEqual([{ name: 'editor', expiresAt: end }]);
  expect(await accessOf(known, crm)).toMatchObject({ status: 'disabled', roles: [] });
  const undone = await run(...undoOf(done.stderr));
  expect([undone.code, undone.stdout]).toEqual([0, 'Undid 4 of 4 changes.\n']);
  expect((await accessOf(fresh, crm)).roles).toEqual([]);
});

test('reads JSON Lines, where null clears', async () => {
  const [appId, userId, end] = [await newApplication(['editor']), await newUser(), fromNow(3600)];
  await manage('iam', 'PATCH', `/users/${userId}`, { body: { displayName: 'Ada', email: 'ada@example.org' } });
  const line = (role: object) => `${JSON.stringify({ userId, application: appId, role: 'editor', ...role })}\n`;
  await importOf(line({ roleUntil: end }));
  expect((await accessOf(userId, appId)).roles).toEqual([{ name: 'editor', expiresAt: end }]);
  const done = await importOf(line({ roleUntil: null, displayName: null }));
  expect([done.code, done.stdout]).toEqual([0, '1 user: 1 changed, 0 unchanged, 0 failed.\n']);
  expect((await accessOf(userId, appId)).roles).toEqual([{ name: 'editor', expiresAt: null }]);
  expect(await userOf(userId)).toMatchObject({ displayName: null, email: 'ada@example.org' });
});

test('a missing column or an empty cell changes nothing: a blocked user stays blocked, and no name is lost', async () => {
  const [one, other] = [await newUser(), await newUser()];
  for (const userId of [one, other]) {
    await manage('iam', 'PATCH', `/users/${userId}`, { body: { displayName: 'Stays', email: 's@example.org' } });
    await deactivate(userId);
  }
  const without = await importOf(`userId,email\n${one},\n${other},new@example.org\n`);
  expect(without.stdout).toBe('2 users: 1 changed, 1 unchanged, 0 failed.\n');
  const empty = await importOf(table(`${one};;;`, `${other};Renamed;;`));
  expect(empty.stdout).toBe('2 users: 1 changed, 1 unchanged, 0 failed.\n');
  expect(await userOf(one)).toMatchObject({ status: 'inactive', displayName: 'Stays', email: 's@example.org' });
  expect(await userOf(other)).toMatchObject({ status: 'inactive', displayName: 'Renamed', email: 'new@example.org' });
});

describe('what gives access back needs an option of its own', () => {
  test('--reactivate, and undo restores', async () => {
    const [left, other, stays] = [await newUser(), await newUser(), await newUser()];
    for (const userId of [left, other]) await deactivate(userId);
    const created = `${left}-new`;
    const content = table(`${stays};Renamed;;`, `${left};;;active`, `${other};;;active`, `${created};;;inactive`);
    for (const more of [[], ['--dry-run'], ['--unblock']]) {
      const { code, stderr } = await importOf(content, ...more);
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/error: 2 users will be reactivated\..*\n.*--reactivate/),
      ]);
    }
    expect([(await userOf(left)).status, (await userOf(stays)).displayName]).toEqual(['inactive', null]);
    expect((await userOf(created)).code).toBe('user_not_found');

    const done = await importOf(content, '--reactivate', '--json');
    expect(done.stderr).toContain('2 users will be reactivated.\n');
    const { bulkId, undo, ...tally } = JSON.parse(done.stdout);
    expect([done.code, tally]).toEqual([0, { changed: 4, unchanged: 0, failed: 0, notSent: 0, failures: [] }]);
    expect(undo).toBe(`auth-service bulk undo ${bulkId}`);
    expect([(await userOf(left)).status, (await userOf(created)).status]).toEqual(['active', 'inactive']);

    const [, ...undoing] = undo.split(' ');
    expect((await run(...undoing)).stdout).toBe('Undid 2 of 2 changes.\n');
    const statuses = await Promise.all([left, other, created].map(async (userId) => (await userOf(userId)).status));
    expect([statuses, (await userOf(stays)).displayName]).toEqual([['inactive', 'inactive', 'inactive'], 'Renamed']);
  });

  test('--unblock', async () => {
    const [appId, userId] = [await newApplication([]), await newUser()];
    await setStatus(userId, appId, 'disabled', 'unpaid');
    const content = `userId,application,access\n${userId},${appId},enabled\n`;
    const refused = await importOf(content, '--reactivate');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(new RegExp(`error: 1 user will be unblocked in ${appId}\\..*\\n.*--unblock`)),
    ]);
    expect((await accessOf(userId, appId)).status).toBe('disabled');
    expect((await importOf(content, '--unblock')).code).toBe(0);
    expect((await accessOf(userId, appId)).status).toBe('enabled');
  });
});

describe('rejected rows', () => {
  const given = async () => {
    const [appId, good, bad] = [await newApplication(['editor']), await newUser(), await newUser()];
    const content = [
      'userId,email,application,role,note',
      `${good},,${appId},editor,fine`,
      `${bad},b@example.org,${appId},editor,half`,
      `${bad},,${appId},edtor,"wrong, role"`,
      `'=odd,no address,,,mail`,
      '',
    ].join('\n');
    return { appId, good, bad, content };
  };

  test('nothing changes; the rows are written with their problems, are corrected there and imported', async () => {
    const { appId, good, bad, content } = await given();
    const refused = await importOf(content);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    const { stderr } = refused;
    expect(stderr).toContain('error: 3 of 4 rows rejected. Nothing was changed.\n');
    expect(stderr).toContain('line 3: another row of this user has a problem');
    expect(stderr).toContain('line 4: The application has no role "edtor".');
    expect(stderr).toContain('line 5: email must be an e-mail address');
    expect((await accessOf(good, appId))?.roles ?? []).toEqual([]);
    const rejected = pathOf('people.rejected.csv');
    expect(stderr).toContain(rejected);
    const text = readFileSync(rejected, 'utf8');
    expect(text.split('\r\n').map((line) => line.split(',')[0])).toEqual(['\uFEFFuserId', bad, bad, `"'=odd"`, '']);

    const others = await importOf(content, '--skip-rejected');
    expect([others.code, others.stdout]).toEqual([0, '1 user: 1 changed, 0 unchanged, 0 failed.\n']);
    writeFileSync(rejected, text.replace(',edtor,', ',editor,').replace('no address', 'odd@example.org'));
    const repaired = await run('users', 'import', rejected);
    expect([repaired.code, repaired.stdout]).toEqual([0, '2 users: 2 changed, 0 unchanged, 0 failed.\n']);
    expect(repaired.stderr).not.toContain('problem,');
    expect((await accessOf(bad, appId)).roles).toEqual([{ name: 'editor', expiresAt: null }]);
    expect(await userOf('=odd')).toMatchObject({ email: 'odd@example.org' });
  });

  test('a file of rejected rows that has rejected rows itself is not overwritten', async () => {
    const path = pathOf('people.rejected.csv');
    writeFileSync(path, 'userId,email\nada,no address\n');
    await run('users', 'import', path);
    expect(readFileSync(path, 'utf8')).toBe('userId,email\nada,no address\n');
    expect(readFileSync(pathOf('people.rejected-2.csv'), 'utf8')).toContain('ada,no address,email must be');
    await run('users', 'import', pathOf('people.rejected-2.csv'));
    expect(existsSync(pathOf('people.rejected-3.csv'))).toBe(true);
    const same = await run('users', 'import', path, '--rejected-file', path);
    expect([same.code, same.stderr]).toEqual([2, expect.stringContaining('must differ')]);
  });

  test('a dry run lists them too, as JSON', async () => {
    const { appId, content } = await given();
    const { code, stdout } = await importOf(content, '--dry-run', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        changed: 1,
        unchanged: 0,
        differences: [{ effect: 'assigned', appId, role: 'editor', count: 1 }],
        rejected: [3, 4, 5].map((line) => ({ line, problem: expect.any(String) })),
      },
    ]);
  });

  test('a file without columns of users does not create one from a mistyped id', async () => {
    const [appId, userId] = [await newApplication(['editor']), await newUser()];
    const { code, stderr } = await importOf(`userId,application,role\n${userId}x,${appId},editor\n`);
    expect([code, stderr]).toEqual([1, expect.stringContaining('line 2: There is no user with this id')]);
  });
});

test('a missing reason that an application requires is a mistake of the command, not of the rows', async () => {
  const [appId, userId] = [await newApplication(['editor']), await newUser()];
  await manage('iam', 'PATCH', `/applications/${appId}`, { body: { requireReason: 'operators' } });
  const content = `userId,application,role\n${userId},${appId},editor\n`;
  const refused = await importOf(content);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/require a reason\..*\n.*--reason/)]);
  expect(existsSync(pathOf('people.rejected.csv'))).toBe(false);
  expect((await importOf(content, '--reason', 'migration', '--ticket', 'INC-1')).code).toBe(0);
  expect((await historyOf(userId))[0]).toMatchObject({ reason: 'migration', ticket: 'INC-1' });
});

test('never mistakes the user with an e-mail address for the user with the same id', async () => {
  const other = await newUser();
  await manage('iam', 'PATCH', `/users/${other}`, { body: { email: 'id@example.org' } });
  const { stdout } = await importOf('userId,displayName\nid@example.org,Somebody New\n');
  expect(stdout).toBe('1 user: 1 changed, 0 unchanged, 0 failed.\n');
  expect(await userOf('id@example.org')).toMatchObject({ displayName: 'Somebody New' });
  expect((await userOf(other)).displayName).toBeNull();
});

test.each([
  ['UTF-16', Buffer.from('\uFEFFuserId\nada\n', 'utf16le'), 'is not UTF-8'],
  ['no column of ids', 'email\na@b.c\n', 'There is no column userId'],
  ['two columns of one title', 'userId,email,email\nada,a,b\n', 'Two columns have the title "email"'],
  ['a row of too many cells', 'userId,email\nada,a@b.c\nbob,b@b.c,inactive\n', 'Line 3 has 3 cells'],
  ['a line that is not JSON', '{"userId":"ada"}\nbob\n', 'Line 2 is not a JSON object'],
])('refuses a file with %s as a whole', async (_, content, message) => {
  const { code, stderr } = await importOf(content);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
