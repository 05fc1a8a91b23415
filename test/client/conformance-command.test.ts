import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CaseResult } from '../../client/conformance/run-cases.ts';
import { compileCache } from '../support/environments.ts';
import { freePort } from '../support/free-port.ts';
import { needing } from '../support/needing.ts';
import { root } from '../support/source-files.ts';
import { missingTools } from '../support/tools.ts';
import { type ClientProject, installClient } from './install-package.ts';

const integrations = join(root, 'sdk/conformance/integrations');

let application: ClientProject;
beforeAll(async () => {
  application = await installClient();
  copyFileSync(join(integrations, 'integrations.mjs'), join(application.path, 'integrations.mjs'));
});
afterAll(() => application.remove());

/** Starts the installed command. */
function start(...args: readonly string[]) {
  const program = join(application.path, 'node_modules/.bin/auth-service-client');
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache, PYTHONPATH: join(root, 'examples/signers') };
  return spawn(program, args, { cwd: application.path, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function run(...args: readonly string[]) {
  const child = start(...args);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: Number(code), stdout, stderr };
}

/** How the server of integrations is started in each language. */
const languages = {
  JavaScript: { program: [process.execPath, 'integrations.mjs'], tools: [] },
  Python: { program: ['python3', join(integrations, 'integrations.py')], tools: ['Python'] },
} as const;

type Language = keyof typeof languages;

const who = ['--user-header', 'x-user'];
const role = ['--role', 'editor'];

/** Checks an integration with the installed command, which starts it. */
async function check(language: Language, integration: string, options: readonly string[] = [...who, ...role]) {
  const [port, own] = [await freePort(), await freePort()];
  const limits = ['--within', '2s', '--answer-within', '6s', '--port', `${own}`, '--json'];
  const started = ['--', 'env', `PORT=${port}`, ...languages[language].program, integration];
  const { code, stdout, stderr } = await run(
    'conformance',
    '--url',
    `http://127.0.0.1:${port}/`,
    ...limits,
    ...options,
    ...started,
  );
  if (stdout === '') throw new Error(stderr);
  const { obeys, cases } = JSON.parse(stdout) as { readonly obeys: boolean; readonly cases: readonly CaseResult[] };
  const named = (result: CaseResult['result']) =>
    cases.filter((each) => each.result === result).map(({ name }) => name);
  return { code, obeys, failed: named('failed'), skipped: named('skipped'), cases };
}

const whatever = ['blocked', 'inactive', 'erased', 'role-revoked', 'role-ended'];
const outages = ['no-answer', 'unavailable', 'hang', 'key-refused'];

/** Wrong integrations, and the cases that they fail. */
const mistakes: Readonly<Record<string, readonly string[]>> = {
  'takes every answer for a permission': ['blocked', 'inactive'],
  'obeys the setting, not the effective status': ['inactive'],
  'caches for an hour': [...whatever, ...outages],
  'asks once a session': [...whatever, ...outages],
  'opens in an outage': [...outages, 'redirect', 'earlier-answer'],
  'keeps a role beyond its end': ['role-ended'],
  'takes a longer role for the required one': ['similar-role'],
  'asks about another id': ['admitted'],
  'admits users whom the service does not know': ['unknown-user', 'erased'],
  'follows redirects': ['redirect'],
  'believes an earlier answer': ['earlier-answer'],
  'waits without a limit': ['hang'],
};

const right: Readonly<Record<Language, readonly string[]>> = {
  JavaScript: ['by hand', 'by hand, with a cache', 'with the SDK', 'with a replica'],
  Python: ['by hand', 'by hand, with a cache'],
};

const open = ['--outage', 'open'];
const login = ['--user', 'ada', '--header', 'x-user: ada', '--header', 'cookie: theme=dark'];

/** All checks by their names. */
const planned: Readonly<Record<string, () => ReturnType<typeof check>>> = {
  'open in an outage': () => check('JavaScript', 'with the SDK, open in an outage', [...who, ...open]),
  'closed in an outage': () => check('JavaScript', 'with the SDK', [...who, ...open, ...role]),
  'following in an outage': () => check('JavaScript', 'follows redirects', [...who, ...open, ...role]),
  'the login of one user': () => check('JavaScript', 'with the SDK', [...login, ...role]),
  ...Object.fromEntries(
    (Object.keys(languages) as Language[])
      .filter((language) => languages[language].tools.every((tool) => !missingTools().includes(tool)))
      .flatMap((language) =>
        [...right[language], ...Object.keys(mistakes)].map((name) => [
          `${language}: ${name}`,
          () => check(language, name),
        ]),
      ),
  ),
};

/** The checks mostly wait, so several run at a time. */
const atATime = 10;
const checks = new Map<string, ReturnType<typeof check>>();

beforeAll(async () => {
  const running = new Set<Promise<unknown>>();
  for (const [name, start] of Object.entries(planned)) {
    if (running.size >= atATime) await Promise.race(running);
    const started = start();
    const settled: Promise<unknown> = started.catch(() => {}).then(() => running.delete(settled));
    running.add(settled);
    checks.set(name, started);
  }
  await Promise.all(running);
});

describe.each(Object.keys(languages) as Language[])('an integration in %s', (language) => {
  needing(...languages[language].tools).describe('is checked', () => {
    test.each(right[language])('one that is right obeys: %s', async (name) => {
      const found = await checks.get(`${language}: ${name}`);
      expect(found).toMatchObject({ code: 0, obeys: true, skipped: [], cases: Array(16).fill({ result: 'ok' }) });
    });

    test.each(Object.entries(mistakes))('one that %s is caught', async (name, failed) => {
      expect(await checks.get(`${language}: ${name}`)).toMatchObject({ code: 1, obeys: false, failed });
    });
  });
});

describe('what the user says about the application', () => {
  test('with --outage open, it must be open, but still refuse whom the service refuses', async () => {
    const found = await checks.get('open in an outage');
    expect(found).toMatchObject({ code: 0, failed: [] });
    expect(found?.skipped).toEqual(['role-revoked', 'similar-role', 'role-ended', 'earlier-answer']);
    const closed = ['no-answer', 'unavailable', 'hang'];
    expect(await checks.get('closed in an outage')).toMatchObject({ failed: closed });
    // It may take a redirect for an outage, but not send its signature to where it leads.
    expect(await checks.get('following in an outage')).toMatchObject({ failed: [...closed, 'redirect'] });
  });

  test('with --user and --header, the login of one user is enough', async () => {
    const found = await checks.get('the login of one user');
    expect(found).toMatchObject({ code: 0, failed: [], skipped: ['unknown-user'] });
  });
});

test('a failed case says what was expected, what was seen, and what the application had asked the service', async () => {
  const found = await checks.get('JavaScript: asks about another id');
  expect(found?.cases[0]).toMatchObject({
    expected: 'admitted (2xx) within 22 s',
    seen: expect.stringMatching(/^403 after 22\.?\d* s$/),
    lastRequest: 'GET /api/service/users/idp%7Cconformance-user/access (404)',
  });
  expect(found?.cases.slice(1).map(({ needs }) => needs)).toEqual(Array(15).fill('admitted'));
});

test('without a command, it prints the address and the key, and waits for the application that its user starts', async () => {
  const [port, own] = [await freePort(), await freePort()];
  const options = ['--url', `http://127.0.0.1:${port}/`, '--port', `${own}`, '--within', '500ms', ...who];
  const checking = start('conformance', ...options);
  let printed = '';
  for await (const chunk of checking.stderr.setEncoding('utf8')) {
    printed += chunk;
    if (printed.includes('Waiting for')) break;
  }
  const variables = Object.fromEntries(
    [...printed.matchAll(/^ {2}(AUTH_\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(Object.keys(variables)).toEqual(['AUTH_URL', 'AUTH_KEY_ID', 'AUTH_SECRET']);
  const env = { ...process.env, ...variables, PORT: `${port}` };
  const started = spawn(process.execPath, ['integrations.mjs', 'with the SDK, open in an outage'], {
    cwd: application.path,
    env,
  });
  const [stdout, [code]] = await Promise.all([text(checking.stdout), once(checking, 'exit')]);
  started.kill();
  expect(stdout).toMatch(/^ok {5}a user with access is admitted \([\d.]+ s\)\n/);
  expect(stdout).toMatch(
    /^FAILED while the service breaks every connection, .*\n +expected: not admitted \(3xx, 4xx or 5xx\) within 0.5 s\n +seen: +200 /m,
  );
  expect([code, stdout]).toEqual([1, expect.stringMatching(/\n10 ok, 3 failed, 3 skipped\n$/)]);
});

describe('the command cannot check', () => {
  test('an application that ends', async () => {
    const [port, own] = [await freePort(), await freePort()];
    const options = ['--url', `http://127.0.0.1:${port}/`, ...who, '--port', `${own}`];
    const { code, stderr } = await run('conformance', ...options, '--', process.execPath, '-e', 'process.exit(3)');
    expect([code, stderr]).toEqual([2, 'The application has ended with the exit code 3\n']);
    const missing = await run('conformance', ...options, '--', './no-such-program');
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('cannot be started')]);
  });

  test('at a port that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await run('conformance', '--url', 'http://127.0.0.1:1/', ...who, '--port', `${port}`);
    server.close();
    expect([code, stderr]).toEqual([2, 'The port is in use: choose another one with --port\n']);
  });

  test('with options that it does not understand, which it explains', async () => {
    const { code, stdout, stderr } = await run(
      'conformance',
      '--url',
      'http://127.0.0.1:1/',
      '--user',
      'ada',
      '--within',
      '10',
    );
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^--within must be a time of at least 100ms.*\n\nChecks that an application obeys/s);
    const help = await run('conformance', '--help');
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(stderr).toContain(help.stdout);
  });
});
