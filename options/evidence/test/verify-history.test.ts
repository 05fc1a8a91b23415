import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { maxBodyBytes } from '#shared/contract/fields.ts';
import { redactChange } from '#shared/integrity/redact-change.ts';
import { runHere } from '#test/cli/run-here.ts';
import { type ChangeOutline, exportOf } from '#test/shared/integrity/exported-changes.ts';
import { verifyingService } from './verifying-service.ts';

const service = verifyingService();

const user = { userId: 'ada' };
const access = { userId: 'ada', appId: 'billing' };
const history: readonly ChangeOutline[] = [
  { action: 'user.created', ...user, version: null },
  { action: 'access.changed', ...access, version: 0 },
  { action: 'access.changed', ...access },
  { action: 'user.updated', ...user },
  { action: 'access.changed', ...access },
  { action: 'access.changed', ...access },
];
const changes = exportOf(history);

const lines = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');

async function verify(content: string, ...args: readonly string[]) {
  const file = join(service.folder, 'export');
  writeFileSync(file, content);
  return runHere(['history', 'verify', file, ...args], { cwd: service.home });
}

describe('a complete export', () => {
  const read = (change: object) => ({ ...change, undo: 'possible' });
  const eventOf = (detail: object) => ({ version: '0', source: 'auth-service', 'detail-type': 'x', detail });

  test.each([
    ['as JSON Lines', lines(changes)],
    ['as JSON', JSON.stringify(changes, null, 2)],
    ['as a page', JSON.stringify({ items: changes, cursor: null })],
    ['as pages', lines([{ items: changes.slice(0, 2) }, { items: changes.slice(2) }])],
    [
      'as events, some of them delivered twice, in any order',
      lines([...changes, ...changes.slice(2)].toReversed().map(eventOf)),
    ],
    ['as a list of events, with a byte order mark', `\ufeff${JSON.stringify(changes.map(eventOf))}`],
    ['as an operator reads it, and as events', lines([...changes.map(read), ...changes.map(eventOf)])],
    ['redacted', lines(changes.map(redactChange))],
    ['in part redacted', lines(changes.map((change, at) => (at % 2 ? redactChange(change) : change)))],
  ])('is unbroken %s', async (_, content) => {
    expect(await verify(content)).toEqual({
      code: 0,
      stdout: 'Verified 6 changes in 2 histories.\n',
      stderr: '',
    });
  });

  test('sends the service no personal data', async () => {
    await verify(lines(changes));
    expect(JSON.stringify(service.stub.requests)).not.toMatch(/left the team|edith|sub-1|192\.0\.2\.7/);
  });

  test('fills each request', async () => {
    const many = exportOf(Array.from({ length: 150 }, () => ({ action: 'access.changed', ...access }) as const));
    expect((await verify(lines(many))).code).toBe(0);
    const sizes = service.stub.requests.map(({ body }) => Buffer.byteLength(JSON.stringify(body)));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBodyBytes);
    expect(service.stub.requests.length).toBeLessThan(10);
  });

  test('says how many histories start before the export', async () => {
    const { stdout } = await verify(lines(changes.slice(2)));
    expect(stdout).toBe('Verified 4 changes in 2 histories. 2 histories start before this export.\n');
  });

  test('an export without changes is verified without a request', async () => {
    expect(await verify('\n')).toMatchObject({ code: 0, stdout: expect.stringContaining('Verified 0 changes') });
    expect(service.stub.requests).toEqual([]);
  });
});

describe('a broken export exits with 1 and names the first break of each kind', () => {
  const without = (...left: readonly number[]) => changes.filter((_, at) => !left.includes(at));
  const altered = (at: number, members: object) =>
    changes.map((change, n) => (n === at ? { ...change, ...members } : change));
  const id = (at: number) => changes[at]?.id;

  test.each<[string, readonly object[], string, number, number | null]>([
    ['altered', altered(2, { reason: 'another' }), 'changed', 2, null],
    ['altered in its time', altered(5, { at: '2026-11-20T00:00:00.000Z' }), 'changed', 5, null],
    ['altered so that it is not a valid change', altered(2, { after: { version: [[1]] } }), 'changed', 2, null],
    ['altered so that it is too large', altered(2, { requestId: 'x'.repeat(20_000) }), 'changed', 2, null],
    [
      'with both a digest and the data it replaces',
      altered(2, { ...redactChange(changes[2] ?? {}), reason: 'x' }),
      'changed',
      2,
      null,
    ],
    ['missing', without(2), 'missing-before', 4, 1],
    ['missing, and the next as well', without(2, 4), 'missing-before', 5, 1],
    ['of another root', altered(3, { integrity: { ...changes[3]?.integrity, root: 'k9' } }), 'unknown-root', 3, null],
    ['forged without a MAC', altered(5, { integrity: undefined }), 'without-mac', 5, 4],
    ['the first, without a MAC', altered(0, { integrity: undefined }), 'without-mac', 0, null],
  ])('where a change is %s', async (_, broken, kind, at, after) => {
    const { code, stdout, stderr } = await verify(lines(broken), '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      detail: 'The export does not match the history that the service wrote.',
      exitCode: 1,
    });
    const { breaks } = JSON.parse(stdout);
    expect(breaks).toContainEqual(
      expect.objectContaining({ kind, id: id(at), after: after === null ? null : id(after), count: 1 }),
    );
    expect(breaks).toHaveLength(1);
  });

  test('in words', async () => {
    const { stdout } = await verify(
      lines([...altered(2, { reason: 'x' }).slice(0, 4), { ...changes[5], reason: 'y' }]),
    );
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      `BROKEN: access.changed ${id(2)} at ${changes[2]?.at} (access of ada in billing) was altered: its MAC does not match. (2 breaks of this kind)`,
      `BROKEN: access.changed ${id(5)} at ${changes[5]?.at} (access of ada in billing) does not follow the change before it: changes between them are missing (previous change: ${id(2)}).`,
    ]);
  });

  test.each([
    ['without a MAC', undefined, 'without-mac'],
    ['with an invented MAC', { root: 'k1', previous: null, salt: 'S', mac: 'AAAAAAAAAAAAAAAAAAAAAA' }, 'changed'],
    ['with an unknown root', { root: 'k9', previous: null, salt: 'S', mac: 'AAAAAAAAAAAAAAAAAAAAAA' }, 'unknown-root'],
  ])('and a deletion forged %s explains nothing', async (_, integrity, kind) => {
    const cut = exportOf([...history.slice(0, 3), { action: 'access.changed', ...access, version: 0, begins: true }]);
    for (const [action, scope] of [
      ['application.deleted', {}],
      ['user.deleted', user],
      ['user.deleted', { ...user, app: 'billing' }],
    ] as const) {
      const { app, ...subject } = { app: undefined, ...scope };
      const deletion = {
        ...cut[2],
        id: `${cut[2]?.id}1`,
        action,
        ...(action === 'user.deleted' ? { appId: undefined } : { userId: undefined }),
        ...subject,
        integrity,
      };
      const options = app === undefined ? [] : ['--app', app];
      const { code, stdout } = await verify(lines([...cut, deletion]), '--json', ...options);
      const kinds = JSON.parse(stdout).breaks.map((each: { kind: string }) => each.kind);
      expect([code, kinds.includes('begins-again'), kinds.includes(kind)]).toEqual([1, true, true]);
    }
  });

  test('if an altered id moves a change', async () => {
    const moved = altered(2, { id: `${changes[5]?.id.slice(0, -1)}Z` });
    const { breaks } = JSON.parse((await verify(lines(moved), '--json')).stdout);
    expect(breaks.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'changed',
      'missing-before',
      'two-successors',
    ]);
  });
});

describe('an export and a witness', () => {
  async function compare(exported: readonly object[], witnessed: readonly object[], ...args: readonly string[]) {
    writeFileSync(join(service.folder, 'witness'), lines(witnessed));
    const { code, stdout } = await verify(
      lines(exported),
      '--witness',
      join(service.folder, 'witness'),
      '--json',
      ...args,
    );
    const { breaks, witness } = JSON.parse(stdout);
    return {
      code,
      witness,
      found: breaks.map(({ kind, id, count }: { kind: string; id: string; count: number }) => [kind, id, count]),
    };
  }
  const idOf = (at: number) => changes[at]?.id;

  test('a removed tail is noticed, although both files verify together', async () => {
    const cut = changes.slice(0, 5);
    expect((await verify(lines([...cut, ...changes]))).code).toBe(0);
    expect((await verify(lines(cut))).code).toBe(0);
    expect(await compare(cut, changes)).toMatchObject({ code: 1, found: [['not-in-export', idOf(5), 1]] });
    const redacted = changes.map(redactChange) as object[];
    expect(await compare(cut, redacted)).toMatchObject({ code: 1, found: [['not-in-export', idOf(5), 1]] });
  });

  test.each<[string, readonly number[], readonly number[]]>([
    ['a change in the middle', [0, 1, 3, 4, 5], [2]],
    ['the last changes of one chain', [0, 1, 3], [2, 4, 5]],
    ['a whole chain', [0, 3], [1, 2, 4, 5]],
  ])('%s is named', async (_, left, removed) => {
    const { code, found } = await compare(
      left.map((at) => changes[at] as object),
      changes,
    );
    expect([code, found]).toEqual([1, [['not-in-export', idOf(removed[0] ?? 0), removed.length]]]);
  });

  test('what is older than the export is counted', async () => {
    expect(await compare(changes.slice(2), changes)).toEqual({ code: 0, found: [], witness: { checked: 6, older: 2 } });
    expect(await compare(changes, changes.slice(1, 3))).toEqual({
      code: 0,
      found: [],
      witness: { checked: 2, older: 0 },
    });
  });

  test("an erased user's changes are not demanded, but the erasure is", async () => {
    const all = exportOf([
      { action: 'application.created', appId: 'billing', version: null },
      ...history,
      { action: 'user.deleted', ...user },
      { action: 'user.created', ...user, version: null },
    ]);
    const [application, erasure, again] = [all[0], all[7], all[8]] as [object, object, object];
    expect(await compare([application, erasure, again], all)).toMatchObject({ code: 0, found: [] });
    expect(await compare([application, again], all)).toMatchObject({ code: 1 });
    expect(await compare([application, erasure], all)).toMatchObject({
      code: 1,
      found: [['not-in-export', all[8]?.id, 1]],
    });
  });

  test('a forged erasure explains nothing, also if the witness has it too', async () => {
    const forged = { ...changes[3], id: `${changes[5]?.id}1`, action: 'user.deleted' };
    const { code, found } = await compare([changes[0] as object, forged], [...changes, forged]);
    expect([code, found.map(([kind]: string[]) => kind)]).toEqual([
      1,
      expect.arrayContaining(['changed', 'not-in-export']),
    ]);
  });

  test('a forged change in the witness is a break of its own, and is not demanded', async () => {
    const forged = { ...changes[5], id: `${changes[5]?.id}1` };
    const { code, found } = await compare(changes, [...changes, forged]);
    expect([code, found.map(([kind]: string[]) => kind)]).toEqual([1, expect.not.arrayContaining(['not-in-export'])]);
  });

  test("of an application's history, only the changes of the application are demanded", async () => {
    const own = changes.filter(({ appId }) => appId === 'billing');
    expect(await compare(own, changes, '--app', 'billing')).toMatchObject({ code: 0, found: [] });
    expect(await compare(own.slice(0, -1), changes, '--app', 'billing')).toMatchObject({ code: 1 });
  });

  test('in words', async () => {
    writeFileSync(join(service.folder, 'witness'), lines(changes));
    const { stdout } = await verify(lines(changes.slice(2, 5)), '--witness', join(service.folder, 'witness'));
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      `BROKEN: access.changed ${idOf(5)} at ${changes[5]?.at} (access of ada in billing) was seen by the witness, and is missing from the export.`,
      'Looked for 6 witnessed changes in the export. 2 are older than it.',
    ]);
  });
});

describe('an export that cannot be read is not verified', () => {
  test.each([
    ['is not JSON', 'not JSON', /^error: Line 1 of .*export is not JSON\.\n$/],
    ['has a line that is not', `${lines(changes)}\n{`, /^error: Line 7 of .* is not JSON\.\n$/],
    [
      'has something else',
      lines([changes[0], { id: 'x' }]),
      /^error: Line 2 of .* is not a change\. Pass the whole, unmodified export/,
    ],
    ['has a MAC that is none', lines([{ ...changes[0], integrity: { mac: 7 } }]), /is not a change/],
  ])('one that %s', async (_, content, said) => {
    const { code, stdout, stderr } = await verify(content);
    expect([code, stdout, service.stub.requests]).toEqual([2, '', []]);
    expect(stderr).toMatch(said);
  });

  test('a file that does not exist', async () => {
    const { code, stderr } = await runHere(['history', 'verify', 'nowhere'], { cwd: service.home });
    expect([code, stderr]).toEqual([2, 'error: There is no file nowhere.\n']);
  });
});

describe('history redact', () => {
  async function redact(content: string, ...args: readonly string[]) {
    const file = join(service.folder, 'export');
    writeFileSync(file, content);
    return runHere(['history', 'redact', file, ...args], { cwd: service.home });
  }

  test('omits personal data, and its output can be verified', async () => {
    const { code, stdout } = await redact(JSON.stringify(changes));
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/left the team|edith|sub-1|192\.0\.2\.7|"salt"/);
    expect((await verify(stdout)).code).toBe(0);
  });

  test('redacts the changes of one user, and omits those that cannot be redacted', async () => {
    const { integrity: _, ...forged } = changes[0] ?? {};
    const others = exportOf([{ action: 'user.created', userId: 'grace', version: null }]);
    const { stdout, stderr } = await redact(lines([forged, ...changes.slice(1), ...others]), '--user', 'ada');
    const printed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(printed).toEqual([...changes.slice(1).map(redactChange), ...others]);
    expect(stderr).toBe('Omitted 1 change without a MAC, which cannot be redacted.\n');
  });
});
