import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { type RunningStack, runStack } from '../../local/run-stack.ts';
import { createManageClient } from '../support/ask-manage.ts';
import { bareEnvironment } from '../support/environments.ts';
import { type Key, sendSigned } from '../support/send-request.ts';
import { runCli } from './run-cli.ts';
import { problem, type StubReply, type StubService, startStub } from './stub-service.ts';
import { testKey } from './verify-sigv4.ts';

const scratch = mkdtempSync(join(tmpdir(), 'auth-service-rotate-'));
afterAll(() => rmSync(scratch, { recursive: true }));
let out: string;
beforeEach(() => {
  out = join(mkdtempSync(join(scratch, 'run-')), 'new-keys');
});
const args = () => ['keys', 'rotate-all', '--root', 'k1', '--overlap', '0s', '--out', out, '--yes'];
const readLines = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

interface Report {
  readonly rotated: number;
  readonly outcomes: readonly { readonly appId: string; readonly keyId: string; readonly newKeyId: string }[];
}

describe('against the stack', () => {
  // A busy machine does not reach this limit.
  const patient = () => [...args(), '--timeout', '300'];
  const roots = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  const [root = ''] = roots;
  const apps = Array.from({ length: 8 }, (_, at) => `app-${at}`);
  const old: Key[] = [];
  let dynamodb: DynamodbProcess;
  let stack: RunningStack;
  let folder: string;

  beforeAll(async () => {
    dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
    await start({});
    await create('PUT', '/users/ada', {});
    for (const appId of apps) {
      await create('POST', '/applications', { appId, name: appId });
      for (const label of ['backend', 'report'])
        old.push(await create('POST', `/applications/${appId}/keys`, { label }));
    }
    await stack.close();
    await start({ ROOT_KEYS: roots.map((bytes, at) => `k${at + 1}=local:${bytes}`).join() });
  });
  afterAll(async () => {
    await stack?.close();
    await dynamodb?.stop();
  });

  async function start(environment: Record<string, string>): Promise<void> {
    const assembly = process.env.TEST_ASSEMBLY ?? '';
    stack = await runStack({ assembly, dynamodb: dynamodb.endpoint, tableName: 'rotate-all', root, environment });
    folder = mkdtempSync(join(scratch, 'place-'));
    mkdirSync(join(folder, '.local'));
    const { manageUrl, accessKey } = stack;
    writeFileSync(join(folder, '.local/example.json'), JSON.stringify({ manageUrl, region: 'local', ...accessKey }));
  }

  async function create(method: string, path: string, body: object): Promise<Key> {
    const answer = await createManageClient(stack.manageUrl, stack.accessKey)(method, path, body);
    expect(answer).toMatchObject({ status: 201 });
    return answer.body as Key;
  }

  async function manage(...command: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runCli(command, { cwd: folder });
    expect([command, code, stderr]).toEqual([command, 0, expect.not.stringContaining('error:')]);
    return stdout;
  }

  const codeFor = async (key: Key) =>
    (await sendSigned(stack.url, key, ['GET', '/api/service/users/ada/access'])).body.code ?? 'accepted';

  test('a killed run resumes, rotates each key once, and every new secret signs', async () => {
    const progress = join(out, 'progress.jsonl');
    await runCli([...patient(), '--json'], {
      cwd: folder,
      started: async (child) => {
        while (!existsSync(progress) || readLines(progress).length < 4) await pause(5);
        child.kill('SIGKILL');
      },
    });
    const done = readLines(progress).length - 1;
    expect(done).toBeLessThan(old.length);

    const { code, stdout, stderr } = await runCli([...patient(), '--json'], { cwd: folder });
    const report: Report = JSON.parse(stdout);
    expect([code, report.rotated]).toEqual([0, old.length]);
    expect(stderr).toContain(`Resuming: ${done} of ${old.length} keys already done.`);
    expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))).toEqual(report);
    expect(report.outcomes.map(({ keyId }) => keyId).sort()).toEqual(old.map(({ keyId }) => keyId).sort());

    const files = apps.flatMap((appId) => readdirSync(join(out, appId)).map((name) => join(out, appId, name)));
    const issued = files.map((file): Key & { replaces: string; label: string } =>
      JSON.parse(readFileSync(file, 'utf8')),
    );
    expect(issued.map(({ keyId }) => keyId).sort()).toEqual(report.outcomes.map(({ newKeyId }) => newKeyId).sort());
    for (const key of issued) expect([key.keyId.slice(0, 7), await codeFor(key)]).toEqual(['svk_k2_', 'accepted']);
    for (const key of old) expect(await codeFor(key)).toBe('key_expired');

    // Each key was rotated once, so every application has as many active keys as before.
    const listed = (await manage('keys', 'list', '--state', 'active', '--all', '--json')).trimEnd().split('\n');
    expect(listed.map((line) => JSON.parse(line).keyId).sort()).toEqual(issued.map(({ keyId }) => keyId).sort());

    const secrets = [...old, ...issued].map(({ secret }) => secret);
    const said = [
      stdout,
      stderr,
      readFileSync(progress, 'utf8'),
      readFileSync(join(out, 'report.json'), 'utf8'),
    ].join();
    expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
    for (const file of [...files, progress]) expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const path of [out, ...apps.map((appId) => join(out, appId))]) expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test('keys of the newest root version are not rotated, and even a dry run is refused', async () => {
    const activeKeys = () => manage('keys', 'list', '--state', 'active', '--all', '--json');
    const before = await activeKeys();
    for (const more of [['--dry-run'], []]) {
      const { code, stderr } = await runCli([...patient().map((arg) => (arg === 'k1' ? 'k2' : arg)), ...more], {
        cwd: folder,
      });
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('is still the latest root version. Release a new one first'),
      ]);
    }
    expect([await activeKeys(), existsSync(out)]).toEqual([before, false]);
  });

  test('keys of an already disabled root version are rotated too, and sign again', async () => {
    await stack.close();
    await start({ ROOT_KEYS: `k3=local:${root}` });
    const { code, stdout, stderr } = await runCli([...patient().map((arg) => (arg === 'k1' ? 'k2' : arg)), '--json'], {
      cwd: folder,
    });
    expect([code, stderr]).toEqual([0, expect.anything()]);
    const { outcomes, rotated }: Report = JSON.parse(stdout);
    expect(rotated).toBe(old.length);
    const [{ appId, newKeyId } = { appId: '', newKeyId: '' }] = outcomes;
    const key: Key = JSON.parse(readFileSync(join(out, appId, `${newKeyId}.json`), 'utf8'));
    expect([newKeyId.slice(0, 7), await codeFor(key)]).toEqual(['svk_k3_', 'accepted']);
  });
});

describe('against a stub service', () => {
  const planned = ['billing', 'crm', 'shop'].map((appId) => ({ appId, keyId: `svk_k1_${appId}_01` }));
  const others = { appId: 'wiki', keyId: 'svk_k2_wiki_01' };
  const rotate = ({ appId, keyId }: { appId: string; keyId: string }) =>
    `POST /applications/${appId}/keys/${keyId}/rotate`;
  const answerOf = ({ appId }: { appId: string }) => ({
    status: 201,
    body: { keyId: `svk_k2_${appId}_02`, secret: `svs_of-${appId}` },
  });
  let stub: StubService;
  beforeAll(async () => {
    stub = await startStub();
  });
  beforeEach(() => {
    stub.reset();
    stub.on(
      'GET /keys',
      { body: { items: [...planned, others], cursor: null } },
      { body: { items: [], cursor: null } },
    );
    for (const key of planned) stub.on(rotate(key), answerOf(key));
  });
  afterAll(() => stub.close());

  /** Answers the rotations of a key in turn; a dry run is accepted. */
  const onRotation = (key: { appId: string; keyId: string }, ...answers: StubReply[]) =>
    stub.on(rotate(key), ({ query }) => {
      if (query === 'dryRun=true') return answerOf(key);
      return (answers.length > 1 ? answers.shift() : answers[0]) ?? {};
    });
  const run = (more: readonly string[] = []) => runCli([...args(), ...more], { url: stub.url });
  /** Types a line into a shell in the project, where npm finds the program. */
  const typeInProject = (line: string) =>
    promisify(execFile)('bash', ['-c', line], {
      cwd: join(import.meta.dirname, '../..'),
      env: {
        ...bareEnvironment,
        AWS_ACCESS_KEY_ID: testKey.accessKeyId,
        AWS_SECRET_ACCESS_KEY: testKey.secretAccessKey,
        AWS_REGION: testKey.region,
      },
    });
  const asked = () => stub.requests.filter(({ route }) => route.endsWith('/rotate'));
  const rotations = () => asked().filter(({ query }) => query !== 'dryRun=true');
  const idsOf = (appId: string) =>
    rotations().flatMap(({ route, idempotencyKey }) => (route.includes(`/${appId}/`) ? [idempotencyKey] : []));

  test('only active keys of the root version are rotated, with the overlap, and the report names them', async () => {
    const { code, stdout } = await run();
    expect(stub.requests[0]?.query).toContain('state=active');
    expect(rotations().map(({ route, body }) => [route, body])).toEqual(
      expect.arrayContaining(planned.map((key) => [rotate(key), { overlap: 'PT0S', avoidRoot: 'k1' }])),
    );
    expect([code, rotations().length]).toEqual([0, 3]);
    expect(stdout).toContain('billing      svk_k1_billing_01  rotated  svk_k2_billing_02');
    expect(stdout).toMatch(
      /Rotated 3 of 3 keys in 3 applications in \d+ s: 0 no longer active, 0 failed, 0 not sent\.\n$/,
    );
  });

  test('a rotation with a lost response is retried as the same request, even by the next process', async () => {
    const [billing = others] = planned;
    onRotation(billing, ...Array.from({ length: 4 }, (): StubReply => ({ hangUp: true })), answerOf(billing));
    const first = await run();
    const [, hint = ''] = /Resume with: (npm run -s manage -- keys rotate-all .*)/.exec(first.stderr) ?? [];
    expect(first.code).toBe(3);
    expect((await typeInProject(hint)).stdout).toContain('Rotated 3 of 3 keys');
    expect([idsOf('billing').length, new Set(idsOf('billing')).size]).toEqual([5, 1]);
    expect(JSON.parse(readFileSync(join(out, 'billing/svk_k2_billing_02.json'), 'utf8'))).toMatchObject({
      replaces: billing.keyId,
      secret: 'svs_of-billing',
    });
    expect([idsOf('crm').length, idsOf('shop').length]).toEqual([1, 1]);
  });

  test('an expired key does not count as a failure; a refused one does, and is retried as a new request', async () => {
    const [billing = others, crm = others] = planned;
    stub.on(rotate(billing), problem('key_not_found', 'It has expired.'));
    onRotation(crm, problem('too_many_keys', 'Ten.'), answerOf(crm));
    const { code, stdout } = await run();
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/Rotated 1 of 3 keys .* 1 no longer active, 1 failed, 0 not sent/),
    ]);
    expect((await run()).code).toBe(0);
    expect([idsOf('billing').length, new Set(idsOf('crm')).size]).toEqual([1, 2]);
  });

  test('Ctrl-C stops after the current requests, with a report', async () => {
    const under = Promise.withResolvers<void>();
    const many = Array.from({ length: 6 }, (_, at) => ({ appId: 'billing', keyId: `svk_k1_billing_1${at}` }));
    stub.on('GET /keys', { body: { items: many, cursor: null } });
    for (const key of many) onRotation(key, { ...answerOf(key), after: under.promise });
    const { code, stderr, stdout } = await runCli(args(), {
      url: stub.url,
      started: async (child) => {
        while (rotations().length === 0) await pause(5);
        child.kill('SIGINT');
        await pause(100);
        under.resolve();
      },
    });
    expect([code, rotations().length]).toEqual([130, 1]);
    expect(stderr).toContain('1 of 6 keys done. Resume with: npm run -s manage -- keys rotate-all ');
    expect(stdout).toMatch(/Rotated 1 of 6 keys in 1 application in \d+ s: 0 no longer active, 0 failed, 5 not sent/);
  });

  test('nothing is rotated by an operator without access to all applications', async () => {
    stub.on('GET /keys', { body: { items: planned, cursor: null, limitedTo: ['billing'] } });
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([1, expect.stringContaining('requires the admin role for all applications')]);
    expect(rotations()).toEqual([]);
  });

  test.each([
    ['role_required', 'Requires the admin role.'],
    ['invalid_request', '#/avoidRoot is still the latest root version.'],
  ] as const)(
    'nothing is rotated, and no folder made, when the service would refuse each key with %s',
    async (code, detail) => {
      stub.on('GET /keys', { body: { items: planned, cursor: null } });
      for (const key of planned) stub.on(rotate(key), problem(code, detail));
      for (const more of [[], ['--dry-run']]) {
        const refused = await run(more);
        expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(detail)]);
      }
      expect([rotations(), existsSync(out)]).toEqual([[], false]);
    },
  );

  test('an expired key is not used for the check before the run', async () => {
    const [billing = others] = planned;
    stub.on(rotate(billing), problem('key_not_found', 'It has expired.'));
    expect((await run(['--dry-run'])).code).toBe(0);
    expect(asked().map(({ route, query }) => [route, query])).toEqual(
      planned.slice(0, 2).map((key) => [rotate(key), 'dryRun=true']),
    );
  });

  test('nothing is rotated if the overlap would leave an application with too many keys', async () => {
    const keys = Array.from({ length: 6 }, (_, at) => ({ appId: 'billing', keyId: `svk_k1_billing_1${at}` }));
    const page = { body: { items: [...keys, ...planned], cursor: null } };
    stub.on('GET /keys', page);
    for (const key of keys) stub.on(rotate(key), answerOf(key));
    const withOverlap = (...more: string[]) =>
      runCli([...args().map((arg) => (arg === '0s' ? '1d' : arg)), ...more], { url: stub.url });
    for (const more of [[], ['--dry-run']]) {
      const { code, stderr } = await withOverlap(...more);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/1 application .* billing: 7 active keys and 7 new/s)]);
    }
    expect([rotations(), existsSync(out)]).toEqual([[], false]);
    expect((await run(['--dry-run'])).code).toBe(0);
  });

  test('keys issued during the run are reported', async () => {
    const late = { items: [{ appId: 'late', keyId: 'svk_k1_late_01' }], cursor: null };
    stub.on('GET /keys', { body: { items: planned, cursor: null } }, { body: late });
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([1, expect.stringContaining('Issued during the run: 1 key of k1.')]);
  });

  test('nothing is rotated by a dry run, without a confirmation, in a folder that others can read, or by a different command', async () => {
    expect((await run(['--dry-run'])).stdout).toContain('nothing was rotated: 3 keys of k1 in 3 applications.');
    stub.on('GET /keys', { body: { items: planned, cursor: null } });
    const silent = await runCli(args().slice(0, -1), { url: stub.url });
    expect([silent.code, silent.stderr]).toEqual([2, expect.stringContaining('requires a confirmation')]);
    mkdirSync(out, { mode: 0o755 });
    for (const more of [[], ['--dry-run']]) {
      const open = await run(more);
      expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('Other users can read')]);
    }
    rmSync(out, { recursive: true });
    writeFileSync(out, '');
    const taken = await run(['--dry-run']);
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining('is not a folder')]);
    rmSync(out);
    mkdirSync(out, { mode: 0o700 });
    expect(rotations()).toEqual([]);
    rmSync(out, { recursive: true });
    await run();
    const other = await runCli(
      args().map((arg) => (arg === '0s' ? '1d' : arg)),
      { url: stub.url },
    );
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('contains the run of a different command')]);
    expect(rotations()).toHaveLength(3);
  });

  test('a run is not resumed after the day for which the service keeps outcomes', async () => {
    await run();
    const [head = '', ...rest] = readLines(join(out, 'progress.jsonl'));
    const aged = { ...JSON.parse(head), startedAt: new Date(Date.now() - 24 * 3600 * 1000).toISOString() };
    writeFileSync(join(out, 'progress.jsonl'), [JSON.stringify(aged), ...rest].join('\n'));
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([2, expect.stringContaining('can be resumed only for a day')]);
  });
});
