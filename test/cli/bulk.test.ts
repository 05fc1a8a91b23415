import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { BulkOutcome } from '#shared/contract/bulk.ts';
import { describeStub } from './describe-stub.ts';
import { type CliOptions, programOfRunCli, runCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import { problem, type SeenRequest, type StubReply } from './stub-service.ts';

const route = 'POST /applications/billing/access';
const { stub, place } = describeStub();
let folder: string;
beforeEach(() => {
  stub.on(route, outcomes);
  folder = mkdtempSync(join(place.folder, 'bulk-'));
});

/** Ids that contain `gone` fail, those that contain `same` are unchanged. */
function outcomes({ body }: SeenRequest): StubReply {
  const { userIds } = body as BulkBody;
  const items = userIds.map((userId): BulkOutcome => {
    if (userId.includes('gone')) {
      return { userId, outcome: 'failed', problem: { code: 'user_not_found', detail: 'There is no such user.' } };
    }
    return { userId, outcome: userId.includes('same') ? 'unchanged' : 'changed' };
  });
  return { body: { items } };
}

const file = () => join(folder, 'ids.txt');
const progress = () => `${file()}.progress`;
const writeIds = (ids: readonly string[]) => writeFileSync(file(), ids.join('\n'));
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `user-${n}`);
interface BulkBody {
  readonly userIds: readonly string[];
  readonly until: string | null;
  readonly bulkId: string;
}
const bodies = () => stub.requests.map(({ body }) => body as BulkBody);
const sent = () => bodies().map(({ userIds }) => userIds);

function setAll(more: readonly string[] = [], options: CliOptions = {}) {
  return runCli(['access', 'set', '--users-file', file(), 'billing', 'disabled', ...more], {
    url: stub.url,
    ...options,
  });
}

describe('access set --users-file', () => {
  test('sends a hundred at a time, each user once', async () => {
    writeIds(['# all', ...numbered(250), '', 'user-0', 'same-1']);
    const { code, stdout, stderr } = await setAll(['--reason', 'audit', '--until', '2099-01-01T00:00:00Z']);
    expect(
      sent()
        .map(({ length }) => length)
        .sort(),
    ).toEqual([100, 100, 51]);
    expect(new Set(sent().flat()).size).toBe(251);
    const setting = { status: 'disabled', reason: 'audit', until: '2099-01-01T00:00:00.000Z' };
    const [bulkId] = bodies().map((body) => body.bulkId);
    expect(bodies()).toEqual(sent().map((userIds) => ({ userIds, bulkId, ...setting })));
    expect(bulkId).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    const keys = stub.requests.map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toEqual(Array(3).fill(`"${bulkId}"`));
    expect([code, stdout]).toEqual([0, '251 users: 250 changed, 1 unchanged, 0 failed.\n']);
    expect(stderr).toContain('\n251 users: 250 changed, 1 unchanged, 0 failed\n');
    expect(existsSync(progress())).toBe(false);
  });

  test('reports the users that failed and why, and fails itself', async () => {
    writeIds(['ada', 'gone-1', 'gone-2']);
    const failures = join(folder, 'failed.txt');
    const { code, stdout, stderr } = await setAll(['--failures-file', failures]);
    expect(code).toBe(1);
    expect(stdout.split('\n')).toEqual([
      'FAILED  CODE            DETAIL',
      'gone-1  user_not_found  There is no such user.',
      'gone-2  user_not_found  There is no such user.',
      '3 users: 1 changed, 0 unchanged, 2 failed.',
      '',
    ]);
    expect(stderr).toMatch(/\nerror: 2 of 3 users failed\.\n$/);
    expect(readFileSync(failures, 'utf8')).toBe(
      'gone-1 # user_not_found: There is no such user.\ngone-2 # user_not_found: There is no such user.\n',
    );
    const again = await runCli(['access', 'set', '--users-file', failures, 'billing', 'disabled', '--json'], {
      url: stub.url,
    });
    const failed = (userId: string) => ({ userId, code: 'user_not_found', detail: 'There is no such user.' });
    const bulkId = bodies().at(-1)?.bulkId;
    expect(JSON.parse(again.stdout)).toEqual({
      bulkId,
      changed: 0,
      unchanged: 0,
      failed: 2,
      notSent: 0,
      failures: [failed('gone-1'), failed('gone-2')],
    });
  });

  test('reads standard input', async () => {
    const args = ['access', 'set', '--users-file', '-', 'billing', 'enabled'];
    const { stdout } = await runCli(args, { url: stub.url, input: 'ada\ngrace\n' });
    expect([sent(), stdout]).toEqual([[['ada', 'grace']], '2 users: 2 changed, 0 unchanged, 0 failed.\n']);
  });

  test('resends only the users for whom the service was unavailable', async () => {
    writeIds(['ada', 'grace']);
    const busy = { code: 'unavailable', detail: 'Try again.' };
    const failed = { userId: 'grace', outcome: 'failed', problem: busy };
    stub.on(route, { body: { items: [{ userId: 'ada', outcome: 'changed' }, failed] } }, outcomes);
    const { code, stdout } = await setAll();
    expect([code, sent(), stdout]).toEqual([
      0,
      [['ada', 'grace'], ['grace']],
      '2 users: 2 changed, 0 unchanged, 0 failed.\n',
    ]);
    stub.on(route, { body: { items: [failed] } });
    writeIds(['grace']);
    stub.requests.length = 0;
    expect([(await setAll()).code, sent().length]).toEqual([1, 3]);
  });

  test('counts a user as changed by an import who needs no change after an attempt with an unknown outcome', async () => {
    const answer = (outcome: BulkOutcome['outcome'], code?: string) => {
      const changes = outcome === 'changed' ? [{ effect: 'deactivated' }] : [];
      return { body: { items: [{ userId: 'ada', outcome, changes, problems: code ? [{ code, detail: '' }] : [] }] } };
    };
    stub.on('POST /user-imports', answer('changed'), answer('failed', 'unavailable'), answer('unchanged'));
    writeFileSync(file(), 'userId,status\nada,inactive\n');
    const { stdout } = await runCli(['users', 'import', file()], { url: stub.url });
    expect(stdout).toBe('1 user: 1 changed, 0 unchanged, 0 failed.\n');
  });

  test('asks again, before an import, about the users for whom the service was unavailable', async () => {
    const answer = (outcome: BulkOutcome['outcome'], ...codes: readonly string[]) => {
      const problems = codes.map((code) => ({ code, detail: '' }));
      return { body: { items: [{ userId: 'ada', outcome, changes: [], problems }] } };
    };
    const unavailable = answer('failed', 'role_not_found', 'unavailable');
    stub.on('POST /user-imports', unavailable, unavailable, answer('unchanged'));
    writeFileSync(file(), 'userId,status\nada,inactive\n');
    const { code, stdout } = await runCli(['users', 'import', file()], { url: stub.url });
    expect([code, stdout]).toEqual([0, '1 user: 0 changed, 1 unchanged, 0 failed.\n']);
    expect(stub.requests.map(({ body }) => (body as { dryRun?: boolean }).dryRun)).toEqual([true, true, true]);
    stub.on('POST /user-imports', unavailable);
    expect((await runCli(['users', 'import', file()], { url: stub.url })).code).not.toBe(0);
    expect(stub.requests).toHaveLength(6);
  });

  test('counts a user without an outcome in the answer as failed', async () => {
    writeIds(['ada', 'grace']);
    stub.on(route, { body: { items: [{ userId: 'ada', outcome: 'changed' }] } });
    const { code, stdout } = await setAll();
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^grace {3}no_outcome/m)]);
  });

  test('shows a bar on a terminal', async () => {
    writeIds(numbered(150));
    const args = ['access', 'set', '--users-file', file(), 'billing', 'disabled'];
    const { stderr } = await runHere(args, { cwd: place.folder, tty: true });
    expect(stderr).toContain('\r\u001b[K[########################] 100 % 150 users: 150 changed');
  });
});

describe('an interrupted run', () => {
  /** Ctrl-C during the fifth request, twice, as npm forwards it. The current requests end afterwards. */
  async function interrupted(more: readonly string[] = []) {
    let child: ChildProcess | undefined;
    const keep = (started: ChildProcess) => {
      child = started;
    };
    const signalled = Promise.withResolvers<void>();
    const waiting = (request: SeenRequest): StubReply => ({ ...outcomes(request), after: signalled.promise });
    const interrupting = (request: SeenRequest): StubReply => {
      child?.stderr?.on('data', (chunk) => String(chunk).includes('Stopping') && signalled.resolve());
      child?.kill('SIGINT');
      child?.kill('SIGINT');
      return waiting(request);
    };
    stub.on(route, outcomes, outcomes, outcomes, outcomes, interrupting, waiting);
    return setAll(more, { started: keep });
  }

  test('ends after the current requests, says how to resume, and resumes as part of the same bulk', async () => {
    writeIds(['gone-0', ...numbered(850)]);
    const { code, stdout, stderr } = await interrupted(['--until', '2h']);
    const done = sent().flat().length;
    expect(code).toBe(130);
    expect(done).toBeGreaterThanOrEqual(500);
    expect(done).toBeLessThanOrEqual(800);
    expect(stdout).toContain(`\n${done} of 851 users: ${done - 1} changed, 0 unchanged, 1 failed.\n`);
    expect(stderr).toContain('\nStopping after the current requests …\n');
    expect(stderr).toContain(
      `error: Interrupted.\n  ${done} of 851 users done. Resume with: ${programOfRunCli} access set --users-file ${file()} billing disabled --until 2h --url ${stub.url}\n`,
    );

    const [first] = bodies();
    stub.requests.length = 0;
    stub.on(route, outcomes);
    const resumed = await setAll(['--until', '2h']);
    expect(resumed.stderr).toContain(`Resuming: ${done - 1} of 851 users already done.\n`);
    expect(sent().flat()).toHaveLength(851 - done + 1);
    expect(sent().flat()).toContain('gone-0');
    for (const { until, bulkId } of bodies()) expect([until, bulkId]).toEqual([first?.until, first?.bulkId]);
    expect(resumed.stdout).toMatch(/^851 users: 850 changed, 0 unchanged, 1 failed\.$/m);
    expect(existsSync(progress())).toBe(false);
  });

  test('is not resumed by a different command', async () => {
    writeIds(numbered(850));
    await interrupted();
    const [first] = bodies();
    stub.requests.length = 0;
    stub.on(route, outcomes);
    const { stdout } = await setAll(['--reason', 'another']);
    expect([sent().length, stdout]).toEqual([9, '850 users: 850 changed, 0 unchanged, 0 failed.\n']);
    expect(bodies()[0]?.bulkId).not.toBe(first?.bulkId);
  });

  test('resumes after an outage', async () => {
    writeIds(numbered(200));
    stub.on(route, outcomes, problem('application_not_found', 'There is no such application.'), outcomes);
    const { code, stderr } = await setAll();
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/100 of 200 users done\. Resume with: npm run -s manage -- access set /),
    ]);
    const resumed = await setAll();
    expect([sent().at(-1)?.length, resumed.code]).toEqual([100, 0]);
  });
});

describe('a dry run', () => {
  test('requests a dry run, says so, keeps no progress and offers no undo', async () => {
    writeIds(['ada', 'same-1']);
    const { code, stdout, stderr } = await setAll(['--dry-run']);
    expect(bodies()).toMatchObject([{ userIds: ['ada', 'same-1'], dryRun: true }]);
    expect([code, stdout]).toEqual([0, 'Dry run, nothing was written: 2 users: 1 changed, 1 unchanged, 0 failed.\n']);
    expect([/Bulk|Undo/.test(stderr), existsSync(progress())]).toEqual([false, false]);
  });
});

describe('nothing is sent and nothing is kept when', () => {
  test('the application is refused with the first request', async () => {
    writeIds(['ada']);
    stub.on(route, problem('application_not_found', 'There is no such application.'));
    const { code } = await setAll();
    expect([code, existsSync(progress())]).toEqual([4, false]);
  });

  test.each<[string, () => readonly string[], string]>([
    ['the file is missing', () => ['--users-file', join(folder, 'none.txt'), 'billing', 'disabled'], 'none.txt.\n'],
    ['a line is not an id', () => ['--users-file', file(), 'billing', 'disabled'], 'line 1: "a b"'],
    [
      'the application is not an id',
      () => ['--users-file', file(), 'Billing!', 'disabled'],
      '<app> must be 2–40 lower-case letters',
    ],
    [
      'a user is named as well',
      () => ['--users-file', file(), 'ada', 'billing', 'disabled'],
      'With --users-file, the arguments are <app> and allowed or blocked.',
    ],
    ['no status is named', () => ['ada', 'billing'], "missing required argument 'status'"],
    [
      'failures would overwrite the ids',
      () => ['--users-file', file(), '--failures-file', file(), 'billing', 'disabled'],
      'must differ from the file of users',
    ],
  ])('%s', async (_, args, message) => {
    writeIds([...(message.includes('line') ? ['a b'] : ['ada'])]);
    const { code, stderr } = await runHere(['access', 'set', ...args()], { cwd: place.folder });
    expect(stderr).toContain(message);
    expect([code, stub.requests, existsSync(progress())]).toEqual([2, [], false]);
  });
});
