import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { ExportedChange } from '#shared/integrity/chain-breaks.ts';
import { runHere } from '#test/cli/run-here.ts';
import { type ChangeOutline, exportOf } from '#test/shared/integrity/exported-changes.ts';
import { filesOf, firstPart, headsKeys, headsOf, signerOf } from './heads-fixture.ts';
import { verifyingService } from './verifying-service.ts';

const service = verifyingService();

const user = { userId: 'ada' };
const access = { userId: 'ada', appId: 'billing' };
const history: readonly ChangeOutline[] = [
  { action: 'application.created', appId: 'billing', version: null },
  { action: 'role.defined', appId: 'billing', role: 'editor', version: null },
  { action: 'user.created', ...user, version: null },
  { action: 'access.changed', ...access, version: 0 },
  { action: 'access.changed', ...access },
  { action: 'user.updated', ...user },
  { action: 'access.changed', ...access },
];
const changes = exportOf(history);
const pem = headsKeys.publicKey.export({ format: 'pem', type: 'spki' }).toString();

interface Given {
  readonly key?: string;
  readonly args?: readonly string[];
}

async function run(exported: readonly object[], files: readonly string[], { key = pem, args = [] }: Given = {}) {
  writeFileSync(join(service.folder, 'export'), exported.map((change) => JSON.stringify(change)).join('\n'));
  writeFileSync(join(service.folder, 'key'), key);
  for (const [at, file] of files.entries()) writeFileSync(join(service.folder, `${at + 1}.jsonl`), file);
  const names = files.map((_, at) => `${service.folder}/${at + 1}.jsonl`);
  const command = ['history', 'verify', join(service.folder, 'export'), '--heads', ...names];
  return runHere([...command, '--heads-key', join(service.folder, 'key'), ...args], { cwd: service.home });
}

async function verify(exported: readonly object[], files: readonly string[], ...args: readonly string[]) {
  const { code, stdout, stderr } = await run(exported, files, { args: ['--json', ...args] });
  const { breaks, heads } = JSON.parse(stdout);
  expect(breaks).toEqual([]);
  return { code, stderr, checked: heads.checked, older: heads.older, missing: heads.missing.map(named) };
}
const named = ({ subject, mac }: { subject: string; mac: string }) => [subject, mac];
const macOf = (at: number, of: readonly ExportedChange[] = changes) => of[at]?.integrity?.mac;
const without = (...left: readonly number[]) => changes.filter((_, at) => !left.includes(at));

describe('an export and signed heads', () => {
  test.each([
    ['PEM', pem],
    ['a JWK', JSON.stringify(headsKeys.publicKey.export({ format: 'jwk' }))],
    ['base64, as AWS KMS answers it', headsKeys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')],
  ])('match while nothing was removed, with the key as %s', async (_, key) => {
    const { code, stdout } = await run(changes, await filesOf(headsOf(changes)), { key });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Looked for 4 signed heads in the export\. 0 are older than it\.\nThe newest heads are of 2026-11-21 0.*ago\); nothing later is compared\.\nVerified 7 changes in 4 histories\.\n$/,
    );
  });

  test.each<[string, readonly number[], readonly [string, number][]]>([
    ['the last change of one chain', [6], [['access of ada in billing', 6]]],
    ['a whole chain', [3, 4, 6], [['access of ada in billing', 6]]],
    ['the only change of a role', [1], [['role editor of billing', 1]]],
    [
      'all changes of a user, whose id nothing in the export has',
      [2, 3, 4, 5, 6],
      [
        ['user (not in the export)', 5],
        ['access of (not in the export) in billing', 6],
      ],
    ],
    [
      'everything since a time, as in a table that was rolled back',
      [5, 6],
      [
        ['user ada', 5],
        ['access of ada in billing', 6],
      ],
    ],
  ])('%s is missed', async (_, removed, missing) => {
    const { code, ...found } = await verify(without(...removed), await filesOf(headsOf(changes)));
    expect(code).toBe(1);
    expect(found.missing.sort()).toEqual(missing.map(([subject, at]) => [subject, macOf(at)]).sort());
  });

  test('an empty export lacks every head', async () => {
    expect((await verify([], await filesOf(headsOf(changes)))).missing).toHaveLength(4);
  });

  test('heads of an earlier day still verify, and are missed as well', async () => {
    const earlier = await filesOf(headsOf(changes.slice(0, 5)));
    expect(await verify(changes, earlier)).toMatchObject({ code: 0, missing: [], checked: 4 });
    // The chain goes on without the change whose head was signed.
    const forked = exportOf([...history.slice(0, 4), ...history.slice(5)]);
    expect((await verify(forked, earlier)).missing).toEqual([['access of ada in billing', macOf(4)]]);
  });

  test('several runs are compared at once, each with the digests of its own salt', async () => {
    const second = { run: '2', salt: 'another', begun: '2026-11-22T02:00:00.000Z' };
    const files = [
      ...(await filesOf(headsOf(changes.slice(0, 5)), { size: 2 })),
      ...(await filesOf(headsOf(changes, { ...firstPart, ...second }), second)),
    ];
    expect(await verify(changes, files.toReversed())).toMatchObject({ code: 0, checked: 8 });
    const { missing } = await verify(without(6), files);
    expect(missing).toEqual([['access of ada in billing', macOf(6)]]);
  });

  test("an erased user's heads are not demanded if the erasure is in the export", async () => {
    const all = exportOf([...history, { action: 'user.deleted', ...user }]);
    const files = await filesOf(headsOf(changes));
    expect(await verify([...all.slice(0, 2), all[7] as object], files)).toMatchObject({
      code: 0,
      missing: [],
      older: 0,
    });
    expect((await verify(all.slice(0, 2), files)).missing).toHaveLength(2);
  });

  test('the heads of a user who was created again after an erasure are demanded', async () => {
    const all = exportOf([
      ...history,
      { action: 'user.deleted', ...user },
      { action: 'user.created', ...user, version: null },
    ]);
    const files = await filesOf(headsOf(all.slice(7)));
    expect((await verify([all[0] as object, all[7] as object], files)).missing).toEqual([['user ada', macOf(8, all)]]);
  });

  test('an erasure that the service did not write explains nothing', async () => {
    const forged = { ...changes[6], id: `${changes[6]?.id}1`, at: '2026-11-20T13:00:00.000Z', action: 'user.deleted' };
    const { code, stdout } = await run([...changes.slice(0, 2), forged], await filesOf(headsOf(changes)), {
      args: ['--json'],
    });
    expect([code, JSON.parse(stdout).heads.missing.length]).toEqual([1, 2]);
  });

  test('a head that only an altered change has is missed', async () => {
    const altered = changes.map((change, at) => (at === 6 ? { ...change, reason: 'x' } : change));
    const { stdout } = await run(altered, await filesOf(headsOf(changes)), { args: ['--json'] });
    expect(JSON.parse(stdout).heads.missing).toHaveLength(1);
  });

  test('what is older than the export is counted', async () => {
    expect(await verify(changes.slice(2), await filesOf(headsOf(changes)))).toMatchObject({ code: 0, older: 2 });
  });

  test("of an application's history, only the heads of the application are demanded", async () => {
    const own = changes.filter(({ appId }) => appId === 'billing');
    const files = await filesOf(headsOf(changes));
    expect(await verify(own, files, '--app', 'billing')).toMatchObject({ code: 0, checked: 3 });
    expect((await verify(own.slice(0, -1), files, '--app', 'billing')).missing).toHaveLength(1);
  });

  test('a missing head in words', async () => {
    const { stdout, stderr } = await run(without(1, 6), await filesOf(headsOf(changes)));
    expect(stdout.split('\n')[0]).toBe(
      `MISSING: the change of role editor of billing at ${changes[1]?.at} with the MAC ${macOf(1)} was the last one of its history at 2026-11-21T02:00:00.000Z, and is not in the export: it was removed, or the table was rolled back. (2 missing heads)`,
    );
    expect(stderr).toBe('error: The export lacks changes whose heads were signed.\n');
  });
});

describe('files of heads that prove nothing are refused, and nothing is verified', () => {
  const heads = headsOf(changes);
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const edit = (text: string, from: string | RegExp, to: string) => {
    expect(text).toMatch(from);
    return text.replace(from, to);
  };
  const parts = () => filesOf(heads, { size: 2 });

  test.each<[string, () => Promise<readonly (string | undefined)[]>, RegExp]>([
    ['empty', async () => [''], /1\.jsonl is not a file of signed heads/],
    ['something else', async () => [JSON.stringify(changes)], /1\.jsonl is not a file of signed heads/],
    [
      'without its signature',
      async () => [edit((await parts())[0] ?? '', /\.[^.\n]*\n/, '.\n')],
      /not signed with this/,
    ],
    [
      'signed by another key',
      () => filesOf(heads, { signer: signerOf(other.privateKey) }),
      /1\.jsonl is not signed with this key, or was altered/,
    ],
    [
      'with a statement that was altered',
      async () => {
        const [header, payload = '', rest] = ((await filesOf(heads))[0] ?? '').split('.');
        const statement = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), salt: 'x' };
        return [[header, Buffer.from(JSON.stringify(statement)).toString('base64url'), rest].join('.')];
      },
      /not signed with this key/,
    ],
    [
      'that claims to need no signature',
      async () => [
        edit((await filesOf(heads))[0] ?? '', /^[^.]*/, Buffer.from('{"alg":"none"}').toString('base64url')),
      ],
      /not a file of signed heads/,
    ],
    [
      'with a head that was altered',
      async () => [edit((await filesOf(heads))[0] ?? '', '"app":"billing"', '"app":"wiki"')],
      /does not have the heads that were signed/,
    ],
    [
      'cut off',
      async () => [((await filesOf(heads))[0] ?? '').slice(0, -90)],
      /1\.jsonl does not have the heads that were signed: it was altered or cut off/,
    ],
    [
      'cut off in its first line',
      async () => [((await filesOf(heads))[0] ?? '').slice(0, 300)],
      /not a file of signed/,
    ],
    [
      'the first part alone',
      async () => (await parts()).slice(0, 1),
      /Parts of the heads of .* are missing after part 1/,
    ],
    ['without the first part', async () => (await parts()).slice(1), /Part 1 of the heads of .* is missing/],
    [
      'the first part twice',
      async () => [(await parts())[0], (await parts())[0], (await parts())[1]],
      /Part 1 of the heads of .* is there twice/,
    ],
    [
      'parts of two attempts',
      async () => [(await filesOf(heads, { size: 2, salt: 'x' }))[0], (await parts())[1]],
      /Part 2 of the heads of .* follows another one/,
    ],
    [
      'of two tables',
      async () => [...(await filesOf(heads)), ...(await filesOf(heads, { run: '2', table: 'Other' }))],
      /of different tables: AuthService-prod-Items of auth-service, Other of auth-service/,
    ],
  ])('one that is %s', async (_, files, said) => {
    const { code, stdout, stderr } = await run(changes, (await files()) as string[]);
    expect([code, stdout, service.stub.requests]).toEqual([1, '', []]);
    expect(stderr).toMatch(said);
  });

  test('one of a format that this version does not know', async () => {
    const signer = signerOf();
    const replaced = (input: string) => {
      const [header, payload = ''] = input.split('.');
      const text = Buffer.from(payload, 'base64url').toString().replace('heads/1', 'heads/2');
      return [header, Buffer.from(text).toString('base64url')].join('.');
    };
    const [file = ''] = await filesOf(heads, { signer: { ...signer, sign: (input) => signer.sign(replaced(input)) } });
    const [, , signature] = file.split('.');
    const { code, stderr } = await run(changes, [`${replaced(file.split('\n')[0] ?? '')}.${signature}`]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('has the format auth-service/heads/2')]);
  });
});

test.each<[string, readonly string[], RegExp]>([
  ['heads without a key', ['--heads', 'a.jsonl'], /add --heads-key <file>/],
  ['a key without heads', ['--heads-key', 'key'], /add --heads <files/],
  ['a key of another kind', ['--heads', 'a.jsonl', '--heads-key', 'rsa'], /rsa is not a public key of P-256/],
  ['a key that is none', ['--heads', 'a.jsonl', '--heads-key', 'none'], /none is not a public key of P-256/],
])('the command line refuses %s', async (_, args, said) => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  writeFileSync(join(service.home, 'rsa'), rsa.export({ format: 'pem', type: 'spki' }));
  writeFileSync(join(service.home, 'none'), 'none');
  writeFileSync(join(service.home, 'export'), '');
  const { code, stderr } = await runHere(['history', 'verify', 'export', ...args], { cwd: service.home });
  expect([code, stderr]).toEqual([2, expect.stringMatching(said)]);
});
