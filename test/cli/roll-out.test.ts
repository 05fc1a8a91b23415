import { describe, expect, test } from '@jest/globals';
import { isInRollout } from '#shared/contract/rollout.ts';
import { describeStub } from './describe-stub.ts';
import { runHere } from './run-here.ts';
import { problem } from './stub-service.ts';
import { access, app, user } from './views.ts';

/** The active users; every tenth has an explicit status, and every seventh only a role. */
const users = Array.from({ length: 250 }, (_, n) => `user-${n}`);
const explicit = users.filter((_, n) => n % 10 === 0);
const decided = users.filter((_, n) => n % 10 > 0);
const admitted = (percent: number) => decided.filter((userId) => isInRollout('crm', userId, percent)).length;

const { stub, place } = describeStub();

const changeId = '01KB3ZC4N7Z3QF4V6E5T8S9R2W';
const undoHint = `Undo with: auth-service apps undo crm ${changeId}\n`;

/** The application has this rollout percentage, and the lists have several pages, one of them empty. */
function openTo(rolloutPercent: number): void {
  const crm = { ...app, appId: 'crm', rolloutPercent };
  stub.on('GET /applications/crm', { body: crm });
  stub.on('PATCH /applications/crm', ({ body }) => {
    const changed = (body as typeof crm).rolloutPercent !== rolloutPercent;
    return { body: { ...crm, ...(body as object), changed, changeId: changed ? changeId : null } };
  });
  const accesses = [
    ...explicit.map((userId) => ({ ...access, userId })),
    { ...access, userId: 'gone-on-leave', userStatus: 'inactive' },
    ...users.filter((_, n) => n % 7 === 0 && n % 10 > 0).map((userId) => ({ ...access, userId, explicit: false })),
  ];
  stub.on('GET /users', ...pagesOf(users.map((userId) => ({ ...user, userId }))));
  stub.on('GET /applications/crm/users', ...pagesOf(accesses));
}

function pagesOf(items: readonly object[]) {
  const pages: (readonly object[])[] = [items.slice(0, 30), [], items.slice(30, 100), items.slice(100)];
  return pages.map((page, n) => ({ body: { items: page, cursor: n < pages.length - 1 ? `page-${n}` : null } }));
}

const run = (args: string, options: { tty?: boolean; typed?: string } = {}) =>
  runHere(`apps rollout crm ${args}`.split(' '), { cwd: place.folder, ...options });
const written = () =>
  stub.requests
    .filter(({ route, query }) => route.startsWith('PATCH') && !query.includes('dryRun=true'))
    .map(({ body }) => body);

describe('raising a rollout', () => {
  test('counts the admitted active users without an explicit status, on all pages', async () => {
    openTo(5);
    const { code, stdout, stderr } = await run('25');
    expect([code, stderr]).toEqual([0, undoHint]);
    expect(stdout).toBe(
      `Changed the rollout of crm from 5 % to 25 %.\nIt admits ${admitted(25)} of 225 active users without an explicit status, ${admitted(25) - admitted(5)} more than before.\n`,
    );
    expect(written()).toEqual([{ rolloutPercent: 25 }]);
    const lists = stub.requests.filter(({ route }) => route.endsWith('/users'));
    expect(lists.filter(({ query }) => query.startsWith('limit=100')).length).toBe(2 * 4);
  });

  test('does not wait for the count, and says so when that fails', async () => {
    openTo(0);
    stub.on('GET /users', problem('invalid_request', 'No.'));
    const { code, stderr } = await run('100');
    expect([code, written()]).toEqual([1, [{ rolloutPercent: 100 }]]);
    expect(stderr).toContain(
      'The rollout of crm is now 100 %. Count the users with: auth-service apps rollout crm 100\n',
    );
  });

  test('to the current percentage counts, and says that nothing changed', async () => {
    openTo(25);
    const { stdout } = await run('25');
    expect(stdout).toBe(
      `No change: the rollout of crm is 25 %.\nIt admits ${admitted(25)} of 225 active users without an explicit status.\n`,
    );
  });

  test('shows its progress on a terminal', async () => {
    openTo(5);
    const { stderr } = await run('25', { tty: true });
    const shown = stderr.split('\r\u001b[K');
    expect([shown.at(1), shown.at(-2), shown.at(-1)]).toEqual([
      'Counting users: 30 …',
      'Counting users: 250 …',
      undoHint,
    ]);
  });

  test('prints the application and the counts as JSON', async () => {
    openTo(5);
    const { stdout } = await run('12.5 --json');
    const counts = { withoutStatus: 225, admitted: admitted(12.5), admittedBefore: admitted(5) };
    expect(JSON.parse(stdout)).toMatchObject({ appId: 'crm', rolloutPercent: 12.5, changed: true, users: counts });
  });
});

describe('lowering a rollout', () => {
  const excluded = admitted(50) - admitted(25);

  test('says how many users it would exclude, and continues when the id is typed', async () => {
    openTo(50);
    const { code, stdout, stderr } = await run('25', { tty: true, typed: 'crm\n' });
    expect(stderr).toContain(
      `Lowering the rollout of crm from 50 % to 25 % excludes ${excluded} of 225 active users without an explicit status. Type crm to continue: `,
    );
    expect(stdout).toContain(`${excluded} fewer than before.`);
    expect([code, written()]).toEqual([0, [{ rolloutPercent: 25 }]]);
  });

  test('records why', async () => {
    openTo(50);
    await runHere(['apps', 'rollout', 'crm', '25', '--yes', '--reason', 'pilot failed', '--ticket', 'INC-7'], {
      cwd: place.folder,
    });
    expect(written()).toEqual([{ rolloutPercent: 25, reason: 'pilot failed', ticket: 'INC-7' }]);
  });

  test('is refused before users are counted where it needs a reason', async () => {
    openTo(50);
    stub.on('PATCH /applications/crm', problem('reason_required', 'Changes require a reason.'));
    const { code, stderr } = await run('25', { tty: true, typed: 'crm\n' });
    expect([code, stderr]).toEqual([1, expect.stringContaining('Changes require a reason.')]);
    expect(stub.requests.map(({ route }) => route)).toEqual(['GET /applications/crm', 'PATCH /applications/crm']);
  });

  test('is undone by the command that its answer names', async () => {
    stub.on(`POST /applications/crm/changes/${changeId}/undo`, { body: { ...app, changed: true, changeId } });
    const { stdout } = await runHere(['apps', 'undo', 'crm', changeId, '--reason', 'too early'], { cwd: place.folder });
    expect(stdout).toBe(`Undone by the change ${changeId}.\n`);
    expect(stub.requests.map(({ body }) => body)).toEqual([{ reason: 'too early' }]);
  });

  test('changes nothing when something else is typed', async () => {
    openTo(50);
    const { code, stderr } = await run('25', { tty: true, typed: 'yes\n' });
    expect(stderr).toContain('The id does not match. Nothing was changed.');
    expect([code, written()]).toEqual([1, []]);
  });

  test('without a terminal requires --yes, and does not count first', async () => {
    openTo(50);
    const refused = await run('25');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes.') });
    expect(stub.requests.map(({ route }) => route)).toEqual(['GET /applications/crm']);
    const done = await run('25 --yes');
    expect([done.code, written()]).toEqual([0, [{ rolloutPercent: 25 }]]);
    expect(done.stdout).toContain(`${excluded} fewer than before.`);
  });

  test('needs no confirmation if it excludes no user', async () => {
    openTo(50);
    stub.on('GET /users', { body: { items: [], cursor: null } });
    stub.on('GET /applications/crm/users', { body: { items: [], cursor: null } });
    const { code, stdout } = await run('25', { tty: true });
    expect([code, stdout]).toEqual([0, expect.stringContaining('0 of 0 active users without an explicit status.')]);
  });
});

test.each(['-1', '100.01', '101', '1.234', 'half', '', '1e1'])(
  'refuses %j as a percentage, and sends nothing',
  async (percent) => {
    for (const args of [
      ['apps', 'rollout', 'crm', '--', percent],
      ['apps', 'create', 'crm', `--rollout=${percent}`],
    ]) {
      const { code, stderr } = await runHere(args, { cwd: place.folder });
      expect([code, stderr]).toEqual([2, expect.stringContaining('a number from 0 to 100 with at most two decimals')]);
    }
    expect(stub.requests).toEqual([]);
  },
);
