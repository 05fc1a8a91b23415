import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { BulkOutcome } from '#shared/contract/access-lists.ts';
import { type CliOptions, runCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import { makeStubFolder } from './stub-folder.ts';
import { problem, type SeenRequest, type StubReply, type StubService, startStub } from './stub-service.ts';

const route = 'POST /applications/billing/access';
let stub: StubService;
let place: ReturnType<typeof makeStubFolder>;
beforeAll(async () => {
  stub = await startStub();
  place = makeStubFolder(stub.url);
});
let folder: string;
beforeEach(() => {
  stub.reset();
  stub.on(route, outcomes);
  folder = mkdtempSync(join(place.folder, 'bulk-'));
});
afterAll(async () => {
  place.remove();
  await stub.close();
});

/** Ids with `gone` in them fail, those with `same` are as they should be. */
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
    expect(sent().map(({ length }) => length)).toEqual([100, 100, 51]);
    expect(new Set(sent().flat()).size).toBe(251);
    expect(new Set(stub.requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
    const setting = { status: 'disabled', reason: 'audit', until: '2099-01-01T00:00:00.000Z' };
    expect(bodies()).toEqual(sent().map((userIds) => ({ userIds, ...setting })));
    expect([code, stdout]).toEqual([0, '251 users: 250 changed, 1 unchanged, 0 failed.\n']);
    expect(stderr.split('\n')[1]).toBe('200 of 251 users: 200 changed, 0 unchanged, 0 failed');
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
    const report = { changed: 0, unchanged: 0, failed: 2, notSent: 0, failures: [failed('gone-1'), failed('gone-2')] };
    expect(JSON.parse(again.stdout)).toEqual(report);
  });

  test('takes standard input', async () => {
    const args = ['access', 'set', '--users-file', '-', 'billing', 'enabled'];
    const { stdout } = await runCli(args, { url: stub.url, input: 'ada\ngrace\n' });
    expect([sent(), stdout]).toEqual([[['ada', 'grace']], '2 users: 2 changed, 0 unchanged, 0 failed.\n']);
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
    expect(stderr).toContain('\r\u001b[K[################--------]  66 % 100 of 150 users: 100 changed');
    expect(stderr).toContain('\r\u001b[K[########################] 100 % 150 users: 150 changed');
  });
});

describe('an interrupted run', () => {
  /** Ctrl-C while the second request is under way, as npm passes it on: twice. */
  async function interrupted(more: readonly string[] = []) {
    let child: ChildProcess | undefined;
    const keep = (started: ChildProcess) => {
      child = started;
    };
    const signalled = Promise.withResolvers<void>();
    const interrupting = (request: SeenRequest): StubReply => {
      child?.stderr?.on('data', (chunk) => String(chunk).includes('Stopping') && signalled.resolve());
      child?.kill('SIGINT');
      child?.kill('SIGINT');
      return { ...outcomes(request), after: signalled.promise };
    };
    stub.on(route, outcomes, interrupting, outcomes);
    return setAll(more, { started: keep });
  }

  test('ends after the current request, says how to resume, and resumes', async () => {
    writeIds(['gone-0', ...numbered(350)]);
    const { code, stdout, stderr } = await interrupted(['--until', '2h']);
    expect([code, sent().length]).toEqual([130, 2]);
    expect(stdout).toMatch(/^200 of 351 users: 199 changed, 0 unchanged, 1 failed\.$/m);
    expect(stderr).toContain('\nStopping after the current request …\n');
    expect(stderr).toContain(
      'error: Interrupted.\n  200 of 351 users are done. Run the same command again to resume.\n',
    );

    const until = bodies()[0]?.until;
    stub.requests.length = 0;
    const resumed = await setAll(['--until', '2h']);
    expect(resumed.stderr).toMatch(/^Resuming: 199 of 351 users are done already\.\n/);
    expect(sent().map(({ length }) => length)).toEqual([100, 52]);
    expect(sent()[0]?.[0]).toBe('gone-0');
    expect(bodies().map((body) => body.until)).toEqual([until, until]);
    expect(resumed.stdout).toMatch(/^351 users: 350 changed, 0 unchanged, 1 failed\.$/m);
    expect(existsSync(progress())).toBe(false);
  });

  test('is not resumed by another command', async () => {
    writeIds(numbered(350));
    await interrupted();
    stub.requests.length = 0;
    const { stdout } = await setAll(['--reason', 'another']);
    expect([sent().length, stdout]).toEqual([4, '350 users: 350 changed, 0 unchanged, 0 failed.\n']);
  });

  test('also resumes after an outage', async () => {
    writeIds(numbered(150));
    stub.on(route, outcomes, problem('application_not_found', 'There is no such application.'), outcomes);
    const { code, stderr } = await setAll();
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/100 of 150 users are done\. Run the same command again to resume/),
    ]);
    const resumed = await setAll();
    expect([sent().at(-1)?.length, resumed.code]).toEqual([50, 0]);
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
    [
      'the file is missing',
      () => ['--users-file', join(folder, 'none.txt'), 'billing', 'disabled'],
      'none.txt does not exist',
    ],
    ['a line is not an id', () => ['--users-file', file(), 'billing', 'disabled'], 'line 1: "a b"'],
    [
      'the application is not an id',
      () => ['--users-file', file(), 'Billing!', 'disabled'],
      '<app> must be a lower-case letter',
    ],
    [
      'a user is named as well',
      () => ['--users-file', file(), 'ada', 'billing', 'disabled'],
      'Usage: access set --users-file <file> <app>',
    ],
    ['no status is named', () => ['ada', 'billing'], 'Usage: access set <user> <app> enabled|disabled'],
    [
      'failures would overwrite the ids',
      () => ['--users-file', file(), '--failures-file', file(), 'billing', 'disabled'],
      'must be another file',
    ],
  ])('%s', async (_, args, message) => {
    writeIds([...(message.includes('line') ? ['a b'] : ['ada'])]);
    const { code, stderr } = await runHere(['access', 'set', ...args()], { cwd: place.folder });
    expect(stderr).toContain(message);
    expect([code, stub.requests, existsSync(progress())]).toEqual([2, [], false]);
  });
});
