import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as localParts from '#options/local.ts';
import { findEmulator } from '../../local/dynamodb-process.ts';
import { findFreePort, listenOn, lockFolder } from '../../local/listen.ts';
import type { LocalPart } from '../../local/local-part.ts';
import type { SeededExample } from '../../local/seed-example.ts';
import { createManageClient } from '../support/ask-manage.ts';
import { bareEnvironment } from '../support/environments.ts';
import { everyProcess, type ListedProcess } from '../support/list-processes.ts';
import { collectLines } from './collect-lines.ts';
import { logIn } from './log-in.ts';
import { sendRequest } from './send-request.ts';
import { makeFolder } from './write-assembly.ts';

const project = join(import.meta.dirname, '../..');
let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

/** What a run says on a machine without the emulator. */
const inMemory = /^There is no DynamoDB emulator for this machine: a table in memory takes its place, kept in /;

/** Replaces the default ports next to a given PORT. */
const freePorts = { MANAGE_PORT: '0', OIDC_PORT: '0' };

interface StartOptions {
  readonly folder?: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The project's folder. Default: this project. */
  readonly root?: string;
  /** What starts it. Default: Node.js itself, without the processes of npm. */
  readonly command?: readonly [string, ...string[]];
}

async function start({ folder, args = [], env = {}, root = project, command }: StartOptions = {}) {
  const data = folder ?? (await makeFolder());
  const [program, ...before] = command ?? [process.execPath, join(root, 'local/start.ts')];
  const started = spawn(program, [...before, `--data=${data}`, ...args], {
    env: { ...bareEnvironment, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  const [stdout, stderr, memory] = [collectLines(), collectLines(), collectLines()];
  createInterface(started.stdout).on('line', stdout.log);
  createInterface(started.stderr).on('line', (line) => (inMemory.test(line) ? memory : stderr).log(line));
  const exited = new Promise<number | null>((resolve) => started.once('close', resolve));
  return { process: started, folder: data, stdout, stderr, memory, exited };
}

/** Returns what a failing start wrote to stderr; it must exit without a signal and with an error. */
async function failure(options: StartOptions): Promise<string[]> {
  const { exited, stderr, folder } = await start(options);
  expect(await exited).toBe(1);
  await allExited(folder);
  return stderr.lines;
}

/** Resolves when no process has the folder in its command line or environment. */
async function allExited(folder: string): Promise<void> {
  const mentions = ({ pid, command }: ListedProcess) => command.includes(folder) || environmentOf(pid).includes(folder);
  while (everyProcess().some(mentions)) await pause(5);
}

/** Nothing where there is no `/proc`. */
function environmentOf(pid: number): string {
  return readIfThere(`/proc/${pid}/environ`);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The most memory that a process has had so far; 0 where there is no `/proc`. */
function peakMegabytes(pid: number | undefined): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readIfThere(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes ?? 0) / 1000;
}

/** Creates a project like this one, but with its own app and packages. */
async function copyProject(app: string, packages: readonly string[]): Promise<string> {
  const root = await makeFolder();
  cpSync(join(project, 'local'), join(root, 'local'), { recursive: true });
  cpSync(join(project, 'package.json'), join(root, 'package.json'));
  for (const name of ['client', 'shared', 'lib', 'options']) symlinkSync(join(project, name), join(root, name));
  cpSync(join(project, 'bin/compile-cache.mjs'), join(root, 'bin/compile-cache.mjs'));
  writeFileSync(join(root, 'bin/auth-service.ts'), app);
  mkdirSync(join(root, 'node_modules'));
  for (const name of packages) symlinkSync(join(project, 'node_modules', name), join(root, 'node_modules', name));
  return root;
}

/** Creates a project like this one, in which nothing is installed that exists for Linux x64 alone. */
async function copyWithoutEmulator(): Promise<string> {
  const packages = readdirSync(join(project, 'node_modules')).filter((name) => name !== '@dynoxide');
  const root = await copyProject(readFileSync(join(project, 'bin/auth-service.ts'), 'utf8'), packages);
  const others = readdirSync(project).filter((name) => !existsSync(join(root, name)) && name !== '.git');
  for (const name of others) symlinkSync(join(project, name), join(root, name));
  return root;
}

/** Reads the request that the welcome message offers for pasting. */
function readCurl(lines: readonly string[]) {
  const curl = lines.slice(lines.indexOf('curl \\')).join('\n');
  const headers = Object.fromEntries([...curl.matchAll(/-H '([^:]+): (.*)'/g)].map(([, name, value]) => [name, value]));
  return { headers, path: new URL(/'(http:.*)'/.exec(curl)?.[1] ?? '').pathname };
}

describe('npm start reports in one line', () => {
  test.each([
    ['an unknown option', { args: ['--rest'] }, "Unknown option '--rest'. npm start -- --help lists the options."],
    ['an invalid port', { env: { PORT: 'http' } }, 'PORT must be a number from 0 to 65535, not "http".'],
    [
      'another invalid port',
      { env: { MANAGE_PORT: '65536' } },
      'MANAGE_PORT must be a number from 0 to 65535, not "65536".',
    ],
    [
      'an invalid endpoint',
      { env: { DYNAMODB_ENDPOINT: 'localhost' } },
      'DYNAMODB_ENDPOINT must be a URL such as http://127.0.0.1:8000, not "localhost".',
    ],
  ])('%s', async (_, options, expected) => {
    expect(await failure(options)).toEqual([expected]);
  });

  test.each(['PORT', 'MANAGE_PORT', 'OIDC_PORT'])(
    'that the port of %s is in use, before it starts anything',
    async (name) => {
      const server = createServer();
      const port = await listenOn(server, 0);
      const { exited, stdout, stderr } = await start({
        env: { [name]: String(port), ...(name === 'PORT' && freePorts) },
      });
      expect(await exited).toBe(1);
      expect(stderr.lines).toEqual([
        `Port ${port} is in use: stop the other program, or choose another port, such as ${name}=3100 npm start.`,
      ]);
      expect(stdout.lines).toEqual([]);
      server.close();
    },
  );

  test('that DynamoDB does not answer at DYNAMODB_ENDPOINT, before anything is started, written or reset', async () => {
    const endpoint = `http://127.0.0.1:${await findFreePort()}`;
    const folder = await makeFolder();
    writeFileSync(join(folder, 'example.json'), 'kept');
    const { exited, stdout, stderr } = await start({
      folder,
      args: ['--reset'],
      env: { DYNAMODB_ENDPOINT: endpoint },
    });
    expect(await exited).toBe(1);
    expect(stderr.lines).toEqual([
      `DynamoDB does not answer at ${endpoint}: start it, or unset DYNAMODB_ENDPOINT to use the emulator.`,
    ]);
    expect(stdout.lines).toEqual([]);
    expect(readdirSync(folder)).toEqual(['example.json']);
  });

  test('that another run uses the same folder', async () => {
    const folder = await makeFolder();
    await lockFolder(folder);
    const { exited, stderr } = await start({ folder });
    expect(await exited).toBe(1);
    expect(stderr.lines).toEqual([expect.stringContaining(`Another npm start uses the folder ${folder}`)]);
  });

  test('that another run uses the same folder, where a file is the lock', async () => {
    const folder = await makeFolder();
    const held = `Another npm start uses the folder ${folder}`;
    writeFileSync(join(folder, 'lock'), String(process.ppid));
    await expect(lockFolder(folder, 'darwin')).rejects.toThrow(held);
    const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await new Promise((resolve) => gone.once('close', resolve));
    writeFileSync(join(folder, 'lock'), String(gone.pid));
    await lockFolder(folder, 'darwin');
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(String(process.pid));
  });

  test('that the folder cannot be used', async () => {
    const folder = join(await makeFolder(), 'file', 'data');
    writeFileSync(join(folder, '..'), '');
    expect(await failure({ folder })).toEqual([
      `The folder ${folder} cannot be used (ENOTDIR): choose another one with --data.`,
    ]);
  });

  test('that the port may not be used', async () => {
    const [server, denied] = [createServer(), Object.assign(new Error('no'), { code: 'EACCES' })];
    server.listen = () => {
      queueMicrotask(() => server.emit('error', denied));
      return server;
    };
    await expect(listenOn(server, 80)).rejects.toThrow(
      'Port 80 cannot be used (EACCES): choose another port, such as PORT=3100 npm start.',
    );
  });

  test('that the root key is damaged', async () => {
    const folder = await makeFolder();
    writeFileSync(join(folder, 'root-key'), 'short');
    expect(await failure({ folder })).toEqual([expect.stringMatching(/root-key does not contain 32 bytes.*--reset/)]);
  });

  test('that the synthesis failed, followed by the output of the app', async () => {
    const root = await copyProject('throw new Error("no such construct");', readdirSync(join(project, 'node_modules')));
    const [first, ...said] = await failure({ root });
    expect(first).toMatch(/^The synthesis failed/);
    expect(said.join('\n')).toContain('Error: no such construct');
    expect(said.join('\n')).not.toMatch(/^\s+at /m);
  });
});

test('npm start -- --reset removes only its own data', async () => {
  const folder = await makeFolder();
  const parts: readonly LocalPart[] = Object.values(localParts);
  const own = ['dynamodb.db', 'tables.jsonl', 'example.json', 'access-key', ...parts.flatMap(({ files }) => files)];
  for (const name of [...own, 'mine']) writeFileSync(join(folder, name), 'old');
  const root = await copyProject('throw new Error("no such construct");', readdirSync(join(project, 'node_modules')));
  await failure({ root, folder, args: ['--reset'] });
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const old = files.filter(({ name }) => readFileSync(join(folder, name), 'utf8') === 'old');
  expect(old.map(({ name }) => name)).toEqual(['mine']);
});

test('npm start -- --help shows the usage and starts nothing', async () => {
  const { exited, stdout } = await start({ args: ['--help'] });
  expect(await exited).toBe(0);
  const help = stdout.lines.join('\n');
  for (const named of [
    'DYNAMODB_ENDPOINT',
    '/_local/ready',
    'GET     /api/service/users/{userId}/access',
    '/scim/v2/Users',
  ])
    expect(help).toContain(named);
});

test('npm start serves the stack until Ctrl-C, which leaves nothing running', async () => {
  const { process: started, folder, stdout, stderr, exited } = await start();
  await stdout.until(/^Ready after/);
  const [, url = ''] = /(http:\S+)/.exec(await stdout.until(/Service API/)) ?? [];
  expect((await fetch(`${url}/_local/ready`)).status).toBe(200);
  await showDashboard(url, stdout);
  const answer = await fetch(`${url}/api/service/users/ada/access`);
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ code: 'signature_missing' });
  await stdout.until(/^GET \/api\/service\/users\/ada\/access 401 \d+ ms$/);
  const pasted = await sendRequest(url, readCurl(stdout.lines));
  expect(pasted.status).toBe(200);
  expect(JSON.parse(pasted.body)).toMatchObject({ userId: 'ada', appId: 'billing' });
  expect(stdout.lines.some((line) => line.includes('"level":"INFO"'))).toBe(false);
  for (const name of ['root-key', 'access-key', 'example.json']) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  }
  await callBothApis(folder, stdout);
  expect(peakMegabytes(started.pid)).toBeLessThan(500);

  // As npm does: it repeats the signal that the terminal has already sent to the whole process group.
  started.kill('SIGINT');
  started.kill('SIGINT');
  expect(await exited).toBe(0);
  expect(stderr.lines).toEqual([]);
  await allExited(folder);
});

describe('without the emulator of the packages', () => {
  test('npm start serves a table in memory and says so in one line, and a restart finds what was changed', async () => {
    const [root, folder] = [await copyWithoutEmulator(), await makeFolder()];
    const first = await start({ root, folder });
    await first.stdout.until(/^Ready after/);
    expect([first.memory.lines.length, first.stderr.lines]).toEqual([1, []]);
    await callBothApis(folder, first.stdout);
    first.process.kill('SIGTERM');
    expect(await first.exited).toBe(0);

    const second = await start({ root, folder });
    await second.stdout.until(/^Ready after/);
    const example: SeededExample = JSON.parse(readFileSync(join(folder, 'example.json'), 'utf8'));
    const ask = createManageClient(example.manageUrl, example);
    expect(await ask('GET', '/users/ada')).toMatchObject({ status: 200, body: { status: 'inactive' } });
    second.process.kill('SIGTERM');
    await second.exited;
  });

  const emulator = findEmulator();
  (emulator === undefined ? test.skip : test)('npm start uses one that is installed as dynoxide', async () => {
    const [root, bin] = [await copyWithoutEmulator(), await makeFolder()];
    symlinkSync(emulator ?? '', join(bin, 'dynoxide'));
    const {
      process: started,
      stdout,
      stderr,
      memory,
      exited,
    } = await start({ root, env: { PATH: `${bin}:${process.env.PATH}` } });
    await stdout.until(/^Ready after/);
    expect([memory.lines, stderr.lines]).toEqual([[], []]);
    started.kill('SIGTERM');
    await exited;
  });
});

/** Loads the dashboard and its login settings as a browser does. */
async function showDashboard(url: string, stdout: ReturnType<typeof collectLines>): Promise<void> {
  await stdout.until(new RegExp(`^Dashboard +${url}/$`));
  const page = await (await fetch(`${url}/users/ada`, { headers: { accept: 'text/html' } })).text();
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  expect((await fetch(url + script)).headers.get('content-type')).toMatch(/^text\/javascript/);
  const config: unknown = await (await fetch(`${url}/config.json`)).json();
  const issuer = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/);
  const deployed = { stage: 'local', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) };
  const login = { issuer, clientId: 'dashboard', scope: 'openid email profile auth-service/manage' };
  expect(config).toEqual({ ...login, ...deployed });
}

/** Calls both APIs with only what the example's file says. */
async function callBothApis(folder: string, stdout: ReturnType<typeof collectLines>): Promise<void> {
  const example: SeededExample = JSON.parse(readFileSync(join(folder, 'example.json'), 'utf8'));
  await stdout.until(new RegExp(`^Management +${example.manageUrl}$`));
  await stdout.until(
    /^AUTH_SERVICE_LOCAL='\S+' npm run -s manage -- access set ada billing disabled --reason "left the team" --until 2h$/,
  );
  for (const secret of [example.secretAccessKey, example.secret]) expect(stdout.lines.join()).not.toContain(secret);
  expect(stdout.lines.filter((line) => /^[A-Z]+ \/api\/manage/.test(line))).toEqual([]);

  const signed = await createManageClient(example.manageUrl, example)('GET', '/users/ada');
  expect(signed).toMatchObject({ status: 200, body: { userId: 'ada' } });
  const { access_token } = await logIn(example.issuer, { operator: 'katherine', redirectUri: `${example.baseUrl}/` });
  const url = `${example.baseUrl}/api/manage/users/ada/status`;
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const byToken = await fetch(url, { method: 'PUT', headers, body: '{"status":"inactive"}' });
  expect(await byToken.json()).toMatchObject({ userId: 'ada', status: 'inactive' });
  expect((await fetch(url, { method: 'PUT' })).status).toBe(401);
  const { body } = await createManageClient(example.manageUrl, example)('GET', '/users/ada/changes?limit=1');
  expect(body).toMatchObject({ items: [{ caller: { id: 'katherine', email: 'katherine@example.com' } }] });
}

test('npm start keeps its data across restarts', async () => {
  const readExample = () => JSON.parse(readFileSync(join(folder, 'example.json'), 'utf8'));
  const first = await start();
  const { folder } = first;
  await first.stdout.until(/^Ready after/);
  const { keyId, secret, accessKeyId, secretAccessKey } = readExample();
  first.process.kill('SIGKILL');
  await first.exited;
  await allExited(folder);
  const second = await start({ folder });
  await second.stdout.until(/^Ready after/);
  expect(readExample()).toMatchObject({ keyId, secret, accessKeyId, secretAccessKey });
  second.process.kill('SIGINT');
  expect(await second.exited).toBe(0);
});

test('npm start leaves nothing running if it is interrupted while starting', async () => {
  const { process: started, folder, stdout, stderr, exited } = await start();
  await stdout.until(/^Synthesizing/);
  started.kill('SIGTERM');
  expect(await exited).toBe(0);
  expect(stderr.lines).toEqual([]);
  await allExited(folder);
});

test('npm start ends the service when its process gets SIGTERM, as systemd and Docker send it', async () => {
  const { process: npm, folder, stdout, exited } = await start({ command: ['npm', 'start', '--'] });
  await stdout.until(/^Synthesizing/);
  npm.kill('SIGTERM');
  await exited;
  await allExited(folder);
});
