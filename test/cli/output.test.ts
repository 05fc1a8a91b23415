import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { formatTime } from '../../cli/terminal/format-time.ts';
import { describeStub } from './describe-stub.ts';
import { runHere } from './run-here.ts';
import { page } from './sent-request.ts';
import { access, app, key } from './views.ts';

const { stub, place } = describeStub();

const { keyId } = key;

describe('with --json the response is printed unchanged', () => {
  test.each([
    ['apps show billing', 'GET /applications/billing', { ...app, added: 'later' }],
    ['apps list', 'GET /applications', { items: [app], cursor: 'next' }],
    ['access set ada billing enabled', 'PUT /users/ada/access/billing', access],
    ['keys issue billing', 'POST /applications/billing/keys', key],
  ])('%s', async (command, route, answer) => {
    stub.on(route, { body: answer });
    const { stdout } = await runHere([...command.split(' '), '--json'], { cwd: place.folder });
    expect(JSON.parse(stdout)).toEqual(answer);
  });
});

describe('the secret of a key', () => {
  test('is alone on stdout with --quiet, and the warning on stderr', async () => {
    stub.on('POST /applications/billing/keys', { status: 201, body: key });
    const { stdout, stderr } = await runHere(['keys', 'issue', 'billing', '--quiet'], { cwd: place.folder });
    expect(stdout).toBe('svs_test\n');
    expect(stderr).toBe(`Save the secret of the key ${keyId} now: it is shown only once and cannot be read again.\n`);
  });

  test('of a key for which nothing else was asked reads only, and expires in 90 days', async () => {
    stub.on('POST /applications/billing/keys', { status: 201, body: key });
    const before = Date.now();
    await runHere(['keys', 'issue', 'billing'], { cwd: place.folder });
    const { scopes, expiresAt } = Object(stub.requests.at(-1)?.body);
    expect(scopes).toEqual(['access:read']);
    const days = (Date.parse(expiresAt) - before) / 86_400_000;
    expect([days >= 90, days < 90.01]).toEqual([true, true]);
  });

  test('of a rotated key is shown with the expiry of the old one', async () => {
    stub.on(`POST /applications/billing/keys/${keyId}/rotate`, { status: 201, body: key });
    const args = ['keys', 'rotate', 'billing', keyId, '--overlap', '1h', '--quiet'];
    const { stdout, stderr } = await runHere(args, { cwd: place.folder });
    expect(stdout).toBe('svs_test\n');
    expect(stderr).toContain(`The old key expires at ${formatTime('2026-11-20T20:14:11.123Z')}`);
  });

  test('and the credentials are never in the output of --debug', async () => {
    stub.on('POST /applications/billing/keys', { status: 201, body: key });
    const { stderr } = await runHere(['keys', 'issue', 'billing', '--debug'], { cwd: place.folder });
    expect(stderr).toMatch(/^POST http:\S+\/api\/manage\/applications\/billing\/keys 201 \d+ ms$/m);
    expect(stderr).not.toMatch(/svs_test|test-secret|AKIATEST|AWS4/);
  });
});

describe('colours', () => {
  const colours = async (options: { tty?: boolean; env?: NodeJS.ProcessEnv }) => {
    stub.on('GET /users/ada/access', { body: page(access) });
    const { stdout } = await runHere(['access', 'show', 'ada'], { cwd: place.folder, ...options });
    return stdout.includes('\u001b[31mBlocked');
  };

  test('are for terminals, without NO_COLOR', async () => {
    expect(await colours({ tty: true })).toBe(true);
    expect(await colours({ tty: true, env: { NO_COLOR: '1' } })).toBe(false);
    expect(await colours({ tty: false, env: { FORCE_COLOR: '1' } })).toBe(false);
  });
});

test('a terminal of 0 columns counts as one of 80', async () => {
  stub.on('GET /users/ada/access', { body: page({ ...access, reason: 'x'.repeat(200) }) });
  const { stdout } = await runHere(['access', 'show', 'ada'], { cwd: place.folder, tty: true, columns: 0 });
  const lines = stripVTControlCharacters(stdout).trimEnd().split('\n');
  expect(lines[0]).toMatch(/^APPLICATION {2}STATUS .* REASON$/);
  expect(lines.map((line) => line.length)).toEqual([expect.any(Number), 80]);
});
