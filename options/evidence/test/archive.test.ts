import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { runHere } from '#test/cli/run-here.ts';
import { type ChangeOutline, exportOf } from '#test/shared/integrity/exported-changes.ts';
import { verifyingService } from './verifying-service.ts';

const service = verifyingService();
const access = { userId: 'ada', appId: 'billing' };
const outlines: readonly ChangeOutline[] = [
  { action: 'user.created', userId: 'ada', version: null },
  { action: 'access.changed', ...access, version: 0 },
  { action: 'access.changed', ...access },
  { action: 'access.changed', ...access },
];
const history = exportOf(outlines);
const newestFirst = history.toReversed();

/** What the service lists, whatever the query. */
let listed: readonly object[];
beforeEach(() => {
  listed = newestFirst.map((change) => ({ ...change, undo: 'possible' }));
  service.stub.on('GET /changes', () => ({ body: { items: listed, cursor: null } }));
  service.stub.on('GET /operator', { body: { id: 'arn', via: 'iam', email: 'edith@example.com', roles: [] } });
  service.stub.on('POST /user-names', {
    body: { items: [{ name: 'ada', users: [{ userId: 'ada', displayName: 'Ada Lovelace' }] }] },
  });
  service.stub.on('GET /applications', { body: { items: [{ appId: 'billing', name: 'Billing' }], cursor: null } });
});

const run = (...args: readonly string[]) => runHere(['history', ...args], { cwd: service.home });
const file = () => join(service.folder, 'changes.zip');
const verify = (...args: readonly string[]) => run('verify', file(), ...args);

async function write(...filters: readonly string[]) {
  const result = await run(...filters, '--export', file());
  return { ...result, files: unzipSync(readFileSync(file())) };
}
/** Replaces a file of the archive. */
function alter(name: string, change: (text: string) => string): void {
  const files = unzipSync(readFileSync(file()));
  const text = strFromU8(files[name] ?? new Uint8Array());
  expect(change(text)).not.toBe(text);
  writeFileSync(file(), zipSync({ ...files, [name]: strToU8(change(text)) }));
}

test('history --export writes an archive with the verification of its changes, which can be verified again', async () => {
  const { code, stdout, files } = await write('--user', 'ada');
  expect([code, stdout]).toEqual([0, `Exported 4 changes and their verification to ${file()}.\n`]);
  expect(JSON.parse(strFromU8(files['verification.json'] ?? new Uint8Array()))).toMatchObject({
    verifiedBy: 'edith@example.com',
    service: service.stub.url,
    selection: { userId: 'ada' },
    isSound: true,
    changes: 4,
    gapsChecked: true,
    failures: [],
  });
  expect(strFromU8(files['changes.csv'] ?? new Uint8Array())).toContain('Ada Lovelace');
  const again = await verify();
  expect([again.code, again.stdout, again.stderr]).toEqual([0, expect.any(String), '']);
  expect(again.stdout).toMatch(/^Archive of user ada, verified at 20\S+ by edith@example\.com \(http:\S+\)\.\n/);
  expect(again.stdout).toContain('changes.csv says the same as the changes.\nVerified 4 changes in 2 histories.\n');
});

test('the MACs of an archive are verified without personal data, and its selection is listed again', async () => {
  await write('--user', 'ada');
  service.stub.requests.length = 0;
  await verify();
  expect(service.stub.requests.map(({ route, query }) => `${route}?${query}`)).toEqual([
    'POST /changes/verify?',
    'GET /changes?userId=ada&limit=100',
  ]);
  expect(JSON.stringify(service.stub.requests)).not.toMatch(/left the team|192\.0\.2\.7/);
});

test('in the changes of one operator gaps are not breaks, and the archive says so', async () => {
  listed = listed.filter((_, at) => at !== 1);
  const { files } = await write('--by', 'edith');
  expect(strFromU8(files['verification.txt'] ?? new Uint8Array())).toContain('gaps between them were not checked');
  expect(await verify()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Gaps between them are not breaks'),
  });
});

test('an archive of a broken history is written, names what failed, and the command fails', async () => {
  listed = listed.map((change, at) => (at === 1 ? { ...change, reason: 'another' } : change));
  const { code, stdout, files } = await write();
  expect(code).toBe(1);
  expect(stdout).toContain(`BROKEN: access.changed ${newestFirst[1]?.id} `);
  expect(strFromU8(files['verification.txt'] ?? new Uint8Array())).toContain('Result: FAILED.');
});

describe('an archive that was altered is not verified', () => {
  beforeEach(() => write('--user', 'ada'));

  test.each<[string, string, (text: string) => string, string]>([
    ['a reason in the table', 'changes.csv', (text) => text.replace('left the team', 'promoted'), 'column after'],
    ['a name in one row', 'changes.csv', (text) => text.replace('Ada Lovelace', 'Eve'), 'column userName'],
    ['a quotation mark', 'changes.csv', (text) => `${text}"`, 'cannot be read as a table of changes'],
  ])('%s', async (_, name, change, message) => {
    alter(name, change);
    const { code, stdout, stderr } = await verify();
    expect([code, stdout]).toEqual([1, expect.stringContaining('BROKEN: changes.csv ')]);
    expect(stdout).toContain(message);
    expect(stderr).toContain('The table of the archive does not match its changes.');
  });

  test.each<[string, (changes: { reason: string }[]) => object[], string]>([
    [
      'a record',
      ([one, ...others]) => [{ ...one, reason: 'promoted' }, ...others],
      'was altered: its MAC does not match',
    ],
    [
      'a record less, in the middle',
      ([one, , ...others]) => [one as object, ...others],
      'changes between them are missing',
    ],
    ['a record less, at the end', ([, ...others]) => others, 'is missing from the archive'],
  ])('%s', async (_, change, message) => {
    alter('changes.json', (text) => JSON.stringify(change(JSON.parse(text))));
    const { code, stdout } = await verify();
    expect([code, stdout]).toEqual([1, expect.stringContaining(message)]);
  });

  test('a filter that would explain gaps is named, and the selection must be whole', async () => {
    alter('changes.json', (text) => JSON.stringify(JSON.parse(text).filter((_: object, at: number) => at !== 1)));
    alter('verification.json', (text) => text.replace('"userId": "ada"', '"actor": "edith"'));
    const { code, stdout } = await verify();
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Archive of by edith.*is missing from the archive/s)]);
  });
});

test('a file of another format is refused with the endings that an export can have', async () => {
  const { code, stderr } = await run('--export', 'changes.txt');
  expect([code, stderr]).toEqual([2, expect.stringContaining('The file must end in .csv, .json or .zip.')]);
  expect(service.stub.requests).toEqual([]);
});

test('a change made after the archive is not missing from it', async () => {
  await write();
  listed = [{ ...listed[0], id: `${newestFirst[0]?.id.slice(0, -1)}Z`, at: new Date().toISOString() }, ...listed];
  expect((await verify()).code).toBe(0);
});

test.each([
  ['PK\u0003\u0004 and nothing else', [], 'is not a complete ZIP file'],
  ['PK\u0003\u0004', ['--app', 'billing'], 'An archive is verified without options'],
])('a file that begins as an archive, %j, with %j is refused', async (content, args, message) => {
  writeFileSync(file(), content);
  const { code, stderr } = await verify(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(service.stub.requests).toEqual([]);
});
