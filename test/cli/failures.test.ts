import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findFreePort } from '../../local/listen.ts';
import { describeStub } from './describe-stub.ts';
import { programOfRunCli, runCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import { problem } from './stub-service.ts';
import { app, key, user } from './views.ts';

const { stub, place } = describeStub();
let empty: string;
beforeAll(async () => {
  empty = mkdtempSync(join(tmpdir(), 'auth-service-cli-'));
});
afterAll(async () => {
  rmSync(empty, { recursive: true });
});

test('an export of users replaces the existing file, and keeps it if the request is refused', async () => {
  const out = join(empty, 'people.csv');
  writeFileSync(out, 'the export of yesterday');
  stub.on('GET /users', problem('role_required', 'Requires the viewer role.'));
  expect((await runHere(['users', 'export', '--out', out], { cwd: place.folder })).code).toBe(1);
  expect(readFileSync(out, 'utf8')).toBe('the export of yesterday');
  stub.on('GET /users', { body: { items: [], cursor: null } });
  expect((await runHere(['users', 'export', '--out', out], { cwd: place.folder })).code).toBe(0);
  expect(readFileSync(out, 'utf8')).toBe('\uFEFFuserId,displayName,email,status,createdAt\r\n');
});

test('an export of users to a file that cannot be written sends nothing', async () => {
  const out = join(empty, 'none', 'people.csv');
  const { code, stderr } = await runHere(['users', 'export', '--out', out], { cwd: place.folder });
  expect([code, stub.requests, stderr]).toEqual([2, [], expect.stringContaining('Cannot write')]);
});

test.each([['users export', 'GET /users']])(
  '%s with a cursor that is refused is not to be continued with the same one',
  async (command, route) => {
    stub.on(route, problem('invalid_request', 'Start again without a cursor.'));
    const { code, stderr } = await runHere([...command.split(' '), '--cursor', 'bad'], { cwd: place.folder });
    expect([code, stderr]).toEqual([1, expect.not.stringContaining('Continue with')]);
  },
);

const unavailable = problem('unavailable', 'The database did not answer.');

describe('prints an error response', () => {
  test('with the detail, the code and the request id', async () => {
    stub.on('GET /users/ada', problem('user_not_found', 'There is no user with this id.'));
    expect(await runCli(['users', 'show', 'ada'], { url: stub.url })).toEqual({
      code: 4,
      stdout: '',
      stderr:
        'error: There is no user with this id. (user_not_found)\n  "users find" finds users by names, e-mail addresses and ids.\n  request id: req-1\n',
    });
  });

  test('with each field, on one line even if it contains control characters', async () => {
    const errors = [{ pointer: '#/email', detail: 'must be an e-mail\u001b[2J address' }];
    stub.on('PUT /users/ada', problem('invalid_request', 'The body is not valid.', { errors }));
    const { code, stderr } = await runCli(['users', 'create', 'ada', '--email', 'x'], { url: stub.url });
    expect([code, stderr.split('\n')]).toEqual([
      1,
      ['error: The e-mail address must be an e-mail\ufffd[2J address. (invalid_request)', '  request id: req-1', ''],
    ]);
  });

  test('with the message of AWS and a hint about signing', async () => {
    stub.on('GET /users/ada', {
      status: 403,
      body: { Message: 'Forbidden' },
      headers: { 'x-amzn-requestid': 'amzn-1' },
    });
    const { code, stderr } = await runCli(['users', 'show', 'ada'], { url: stub.url });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: The response was 403: Forbidden\n {2}Check the credentials.*\n {2}request id: amzn-1\n$/,
    );
  });

  test('when the answer is not JSON', async () => {
    stub.on('GET /users/ada', { body: '<html>' });
    const { code, stderr } = await runCli(['users', 'show', 'ada'], { url: stub.url });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/with a body that is not JSON\. Check the URL\.\n$/)]);
  });

  test('with a stack trace only with --debug', async () => {
    stub.on('GET /users/ada', problem('user_not_found', 'There is no user with this id.'));
    const { stderr } = await runCli(['users', 'show', 'ada', '--debug'], { url: stub.url });
    expect(stderr).toMatch(/^ {4}at /m);
  });
});

describe('retries a temporary failure under the same Idempotency-Key with a new signature', () => {
  test('after 503, 429 and a broken connection', async () => {
    const later = { ...problem('too_many_requests', 'Later.'), headers: { 'retry-after': '1' } };
    stub.on('PUT /users/ada/status', unavailable, later, { hangUp: true }, { body: user });
    const { code, stdout } = await runCli(['users', 'set-status', 'ada', 'active'], { url: stub.url });
    expect([code, stdout]).toEqual([0, 'The user ada is now active.\n']);
    expect(stub.requests.map(({ fault }) => fault)).toEqual([undefined, undefined, undefined, undefined]);
    expect(new Set(stub.requests.map(({ date }) => date)).size).toBeGreaterThan(1);
    expect(new Set(stub.requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  test('at most four times, and then exits with a separate code', async () => {
    stub.on('GET /users/ada', unavailable);
    const { code, stderr } = await runCli(['users', 'show', 'ada'], { url: stub.url });
    expect([code, stub.requests.length]).toEqual([3, 4]);
    expect(stderr).toMatch(/^error: The database did not answer\. \(unavailable\)/);
  });

  describe.each([
    ['apps create billing', 'POST /applications', app],
    ['users create ada', 'PUT /users/ada', user],
    ['keys issue billing', 'POST /applications/billing/keys', key],
    ['keys rotate billing svk_1', 'POST /applications/billing/keys/svk_1/rotate', key],
  ])('%s', (command, route, answer) => {
    test('is retried too, because its key makes it repeatable', async () => {
      stub.on(route, { hangUp: true }, unavailable, { status: 201, body: answer });
      const { code } = await runHere(command.split(' '), { cwd: place.folder });
      expect([code, stub.requests.length]).toEqual([0, 3]);
      expect(new Set(stub.requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    });

    test('says after the last failure that it may have taken effect', async () => {
      stub.on(route, unavailable);
      const { code, stderr } = await runHere(command.split(' '), { cwd: place.folder });
      expect([code, stub.requests.length]).toEqual([3, 4]);
      expect(stderr).toContain('The request may have taken effect: check before you retry.');
    });
  });
});

describe('reports before anything is sent', () => {
  test('that the connection fails', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const { code, stderr } = await runCli(['apps', 'create', 'billing'], { url });
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/^error: Could not reach \S+: .*ECONNREFUSED.*\n {2}Check the URL\.\n$/),
    ]);
  });

  test('that no service is configured', async () => {
    const { code, stderr } = await runCli(['apps', 'list'], { cwd: empty });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^error: No service is configured\..*AUTH_SERVICE_URL.*npm start/s),
    ]);
  });

  test('that there are no credentials', async () => {
    const env = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', HOME: empty };
    const { code, stderr } = await runCli(['apps', 'list'], { url: stub.url, env });
    expect([code, stub.requests]).toEqual([2, []]);
    expect(stderr).toMatch(/^error: No AWS credentials: .*\n {2}Sign in with/);
  });

  test('that the clocks skip a local time', async () => {
    const args = ['access', 'set', 'ada', 'billing', 'disabled', '--until', '2027-03-28T02:30'];
    const { code, stderr } = await runCli(args, { url: stub.url, env: { TZ: 'Europe/Berlin' } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('The clocks change and skip 02:30 on this day.')]);
  });

  test('an empty search, before anything is sent', async () => {
    const { code, stderr } = await runCli(['users', 'find', ' '], { url: stub.url });
    expect([code, stub.requests]).toEqual([2, []]);
    expect(stderr).toMatch(/^error: Name what to find: the beginning of a name, an e-mail address or an id\.\n/);
  });

  test('an answer that the program does not know, without the words of its code', async () => {
    stub.on('GET /users/ada', { body: null });
    const { code, stderr } = await runCli(['users', 'show', 'ada'], { url: stub.url });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: This program has a mistake, or got an answer that it does not know\.\n/);
  });

  test('a misspelt command, with a suggestion', async () => {
    const { code, stderr } = await runCli(['apps', 'creat', 'billing']);
    expect([code, stderr]).toEqual([
      2,
      `error: unknown command 'creat'\n  (Did you mean create?)\n  Help: ${programOfRunCli} apps --help\n`,
    ]);
  });
});

test('a reader that closes the pipe is not an error', async () => {
  const items = Array.from({ length: 100 }, () => ({ ...app, name: 'x'.repeat(2000) }));
  stub.on('GET /applications', ({ query }) => ({ body: { items, cursor: query.length > 2000 ? null : `${query}a` } }));
  const { code, stderr } = await runCli(['apps', 'list', '--all'], {
    url: stub.url,
    started: ({ stdout }) => void stdout?.once('data', () => stdout.destroy()),
  });
  expect([code, stderr]).toEqual([0, '']);
});

test('history app --follow shows the latest changes in order, then each new one once', async () => {
  const page = (...ids: readonly string[]) => ({ body: { items: ids.map((id) => ({ id })), cursor: null } });
  stub.on('GET /applications/billing/changes', page('2', '1'), page('4', '3', '2', '1'), page('4', '3', '2', '1'));
  const { stdout } = await runCli(['history', 'app', 'billing', '--follow', '--json'], {
    url: stub.url,
    started: (child) => {
      let seen = '';
      child.stdout?.on('data', (chunk) => {
        seen += chunk;
        if (seen.includes('4')) child.kill('SIGINT');
      });
    },
  });
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(['1', '2', '3', '4']);
});
