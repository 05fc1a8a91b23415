import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { redactChange } from '#shared/integrity/redact-change.ts';
import { runHere } from '#test/cli/run-here.ts';
import { putItems } from '#test/support/alter-item.ts';
import { manageClient } from '#test/support/manage-client.ts';
import { startSources, type TestService } from '#test/support/start-service.ts';

type Item = Record<string, unknown> & { readonly pk: string; readonly sk: string };

let service: TestService;
let folder: string;
/** The table, as it was when the service had written everything. */
let items: readonly Item[];
/** The keys by the order in which they were made: issued, issued and revoked, rotated, made by the rotation. */
let keys: readonly string[];
const manage = manageClient(() => service);
beforeAll(async () => {
  service = await startSources();
  folder = mkdtempSync(join(tmpdir(), 'auth-service-state-'));
  mkdirSync(join(folder, '.local'));
  const { manageUrl, accessKey } = service;
  writeFileSync(join(folder, '.local/example.json'), JSON.stringify({ manageUrl, region: 'local', ...accessKey }));
  keys = await doEverything();
  items = await scan();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});

async function ask(method: string, path: string, body?: object) {
  const { status, body: answer } = await manage('iam', method, path, { body });
  expect([method, path, status < 300]).toEqual([method, path, true]);
  return answer;
}

async function doEverything(): Promise<string[]> {
  await ask('POST', '/applications', { appId: 'ledger', name: 'Ledger', rolloutPercent: 12.5 });
  await ask('PATCH', '/applications/ledger', { requestsPerSecond: 50 });
  await ask('PUT', '/applications/ledger/roles/editor', { description: 'May change invoices' });
  await ask('PUT', '/applications/ledger/roles/gone', {});
  await ask('PUT', '/users/zoe', { displayName: 'Zoë', email: 'zoe@example.org' });
  await ask('PUT', '/users/left', {});
  await ask('PUT', '/users/left/status', { status: 'inactive', reason: 'left' });
  await ask('PUT', '/users/erased', {});
  await ask('PUT', '/users/erased/access/ledger', { status: 'disabled' });
  await ask('PUT', '/users/zoe/access/ledger', { status: 'disabled', reason: 'unpaid', until: null });
  await ask('PUT', '/users/zoe/roles/ledger/editor', { expiresAt: '2028-01-01T00:00:00.000Z' });
  await ask('PUT', '/users/left/roles/ledger/gone');
  await ask('DELETE', '/applications/ledger/roles/gone?force=true');
  await ask('DELETE', '/users/erased');
  const withoutEnd = { scopes: ['access:read'], expiresAt: null };
  const issue = async () => (await ask('POST', '/applications/ledger/keys', withoutEnd)).keyId;
  const [issued, revoked, old] = [await issue(), await issue(), await issue()];
  await ask('DELETE', `/applications/ledger/keys/${revoked}`);
  // The last change of an application may delete a part of it.
  await ask('POST', '/applications/ledger/webhooks', { webhookId: 'gone', url: 'https://hooks.example.com/' });
  const end = { overlap: 'PT24H', expiresAt: '2028-01-01T00:00:00.000Z' };
  const { keyId: rotated } = await ask('POST', `/applications/ledger/keys/${old}/rotate`, end);
  await ask('DELETE', '/applications/ledger/webhooks/gone');
  return [issued, revoked, old, rotated];
}

/** The items that this file's calls wrote: others of the tests' table have no changes. */
async function scan(): Promise<Item[]> {
  const own = /^(APP#ledger|USER#(zoe|left|erased))/;
  return [...(await service.items())].map(([, item]) => item as Item).filter(({ pk }) => own.test(pk));
}

const line = (item: object) => JSON.stringify({ Item: marshall(item, { removeUndefinedValues: true }) });

async function verify(table: readonly object[], changes: readonly object[] = table) {
  writeFileSync(join(folder, 'changes.jsonl'), changes.map(line).join('\n'));
  writeFileSync(join(folder, 'table.jsonl'), table.map(line).join('\n'));
  const args = ['history', 'verify', 'changes.jsonl', '--state', 'table.jsonl', '--json'];
  const { code, stdout, stderr } = await runHere(args, { cwd: folder });
  const { state, breaks } = JSON.parse(stdout);
  return { code, stderr, state, breaks };
}

/** The differences that are found after an item was changed by hand. */
async function found(pk: string, sk: string, alter: (item: Item) => object | undefined) {
  const altered = items.flatMap((item) => (item.pk === pk && item.sk === sk ? (alter(item) ?? []) : item));
  expect(altered).not.toEqual(items);
  const { code, state, breaks } = await verify(altered);
  expect([code, breaks]).toEqual([1, []]);
  return state.differences.map(({ kind, subject, detail }: Record<string, string>) => `${kind}: ${subject}: ${detail}`);
}

test('a table that only the service wrote matches its history, whole and redacted', async () => {
  const whole = await verify(items);
  expect(whole).toMatchObject({ code: 0, stderr: '', breaks: [], state: { differences: [], older: [], compared: 8 } });
  const isChange = ({ sk }: Item) => sk.startsWith('CHANGE#');
  const members = ['pk', 'sk', 'ttl', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk', 'by'];
  const recorded = items.filter(isChange).map((item) => {
    const change = Object.fromEntries(Object.entries(item).filter(([name]) => !members.includes(name)));
    return { pk: item.pk, sk: item.sk, ...redactChange(change) };
  });
  expect(await verify(items, recorded)).toMatchObject({ code: 0, state: { differences: [] } });
});

const access = ['USER#zoe', 'ACCESS#ledger'] as const;
const application = ['APP#ledger', 'APP'] as const;

describe('what was changed by hand in the table is named', () => {
  test.each<[string, readonly [string, string], (item: Item) => object | undefined, string]>([
    [
      'an access that was enabled',
      access,
      (item) => ({ ...item, status: 'enabled' }),
      'status is enabled in the table, and disabled by the changes',
    ],
    [
      'an access whose status was removed',
      access,
      (item) => ({ ...item, status: null }),
      'explicit is false in the table, and true by the changes',
    ],
    [
      'a block that was given an end',
      access,
      (item) => ({ ...item, until: '2026-01-01T00:00:00.000Z' }),
      'until is 2026-01-01T00:00:00.000Z in the table, and null by the changes',
    ],
    ['a reason', access, (item) => ({ ...item, reason: 'x' }), 'reason is not what the changes say'],
    [
      'a grant with another expiry',
      access,
      (item) => ({ ...item, roles: { editor: { ...Object(item.roles).editor, expiresAt: null } } }),
      'expiresAt of role editor is null in the table, and 2028-01-01T00:00:00.000Z by the changes',
    ],
    [
      'a grant that was removed',
      access,
      (item) => ({ ...item, roles: {} }),
      'granted of role editor is false in the table, and true by the changes',
    ],
    [
      'a grant that was added',
      access,
      (item) => ({ ...item, roles: { ...Object(item.roles), admin: { grantedAt: item.updatedAt, expiresAt: null } } }),
      'granted of role admin is true in the table, and false by the changes',
    ],
    [
      'a grant that was dated after its role was defined again',
      access,
      (item) => ({
        ...item,
        roles: { editor: { ...Object(item.roles).editor, grantedAt: '2098-01-01T00:00:00.000Z' } },
      }),
      'grantedAt of role editor is 2098-01-01T00:00:00.000Z in the table',
    ],
    [
      'the version of an access',
      access,
      (item) => ({ ...item, version: 1 }),
      'version is 1 in the table, and 2 by the changes',
    ],
    [
      'the head of a chain',
      access,
      (item) => ({ ...item, chainHead: 'x' }),
      'does not have the MAC of its last change',
    ],
    [
      'the status of a user',
      ['USER#left', 'USER'],
      (item) => ({ ...item, status: 'active' }),
      'status is active in the table, and inactive by the changes',
    ],
    [
      'the name of a user',
      ['USER#zoe', 'USER'],
      (item) => ({ ...item, email: 'eve@example.org' }),
      'email is not what the changes say',
    ],
    [
      'when a user was created',
      ['USER#zoe', 'USER'],
      (item) => ({ ...item, createdAt: 'x' }),
      'createdAt is x in the table',
    ],
    [
      'a role',
      ['APP#ledger', 'ROLE#editor'],
      (item) => ({ ...item, description: 'x' }),
      'description is x in the table, and May change invoices by the changes',
    ],
    [
      'when a role was defined',
      ['APP#ledger', 'ROLE#editor'],
      (item) => ({ ...item, createdAt: '2020-01-01T00:00:00.000Z' }),
      'createdAt is 2020-01-01T00:00:00.000Z in the table',
    ],
    [
      'a percentage',
      application,
      (item) => ({ ...item, rolloutPercent: 100 }),
      'rolloutPercent is 100 in the table, and 12.5 by the changes',
    ],
    [
      'a limit',
      application,
      (item) => ({ ...item, requestsPerSecond: null }),
      'requestsPerSecond is null in the table, and 50 by the changes',
    ],
  ])('%s', async (_, [pk, sk], alter, detail) => {
    expect(await found(pk, sk, alter)).toContainEqual(expect.stringMatching(`^state-differs: .*: ${detail}`));
  });

  test.each<[string, number, object | undefined, string]>([
    ['that was revoked and is valid again', 1, { revokedAt: null }, 'revokedAt of key .* is null in the table, and 2'],
    [
      'that was revoked by hand',
      0,
      { revokedAt: '2026-01-01T00:00:00.000Z' },
      'revokedAt of key .* is 2026.* and null by the changes',
    ],
    [
      'with another expiry',
      0,
      { expiresAt: '2028-01-01T00:00:00.000Z' },
      'expiresAt of key .* is 2028.* and null by the changes',
    ],
    ['that was rotated and no longer ends', 2, { expiresAt: null }, 'expiresAt of key .* is null in the table, and 2'],
    [
      'that a rotation made and that no longer ends',
      3,
      { expiresAt: null },
      'expiresAt of key .* is null in the table, and 2028',
    ],
    [
      'with more scopes',
      0,
      { scopes: ['access:read', 'access:write'] },
      'scopes of key .* is access:read access:write in the table',
    ],
    [
      'with more scopes, that a rotation made',
      3,
      { scopes: ['access:read', 'access:write'] },
      'scopes of key .* is access:read access:write in the table',
    ],
    ['with another label', 0, { label: 'x' }, 'label of key .* is x in the table'],
    ['that was removed', 0, undefined, 'scopes of key .* is null in the table, and access:read by the changes'],
  ])('a key %s', async (_, at, members, detail) => {
    const keyId = keys[at] ?? '';
    const alter = (item: Item) => {
      const { [keyId]: key, ...others } = Object(item.keys);
      return { ...item, keys: { ...others, ...(members !== undefined && { [keyId]: { ...key, ...members } }) } };
    };
    const differences = await found(...application, alter);
    expect(differences).toContainEqual(expect.stringMatching(`^state-differs: application ledger: ${detail}`));
  });

  test('a key that was added', async () => {
    const added = { svk_k1_ledger_x: { ...Object(items.find(({ sk }) => sk === 'APP')?.keys)[keys[0] ?? ''] } };
    const differences = await found(...application, (item) => ({ ...item, keys: { ...Object(item.keys), ...added } }));
    expect(differences).toContainEqual(
      expect.stringContaining('scopes of key svk_k1_ledger_x is access:read in the table'),
    );
  });

  test.each([
    ['an access', access, 'access of zoe in ledger'],
    ['a user', ['USER#left', 'USER'], 'user left'],
    ['a role', ['APP#ledger', 'ROLE#editor'], 'role editor of ledger'],
    ['an application', application, 'application ledger'],
  ] as const)('%s that was removed', async (_, [pk, sk], subject) => {
    expect(await found(pk, sk, () => undefined)).toContain(`not-stored: ${subject}: is not stored`);
    expect(await found(pk, sk, (item) => ({ ...item, deleting: true }))).toContain(
      `not-stored: ${subject}: is not stored`,
    );
  });

  test.each([
    ['a role that was deleted', 'ROLE#gone', 'role gone of ledger: is stored, although it was deleted'],
    ['a user who was erased', 'USER', 'user erased: is stored, although it was deleted'],
  ])('%s and is back', async (_, sk, said) => {
    const pk = sk === 'USER' ? 'USER#erased' : 'APP#ledger';
    const back = ({ deleting: _, erased: __, ...item }: Item) => ({ ...item, status: 'active' });
    expect(await found(pk, sk, back)).toContain(`without-change: ${said}`);
  });

  test('an access that no change wrote, of a user who exists, of one who was erased, and of one nobody knows', async () => {
    const [copied] = items.filter(({ pk, sk }) => pk === access[0] && sk === access[1]);
    const forged = ['left', 'erased', 'mallory'].map((userId) => ({
      ...copied,
      pk: `USER#${userId}`,
      userId,
      appId: 'forged',
      sk: 'ACCESS#forged',
    }));
    const { code, state } = await verify([...items, ...forged], items);
    expect(code).toBe(1);
    expect(state.differences.map(({ subject, kind }: Record<string, string>) => `${subject} ${kind}`)).toEqual([
      'access of erased in forged without-change',
      'access of left in forged without-change',
      'access of mallory in forged without-change',
    ]);
  });
});

test('in words, each difference has a line', async () => {
  writeFileSync(
    join(folder, 'table.jsonl'),
    items.map((item) => line(item.sk === 'APP' ? { ...item, rolloutPercent: 100 } : item)).join('\n'),
  );
  const { code, stdout, stderr } = await runHere(['history', 'verify', 'table.jsonl', '--state', 'table.jsonl'], {
    cwd: folder,
  });
  expect([code, stderr]).toEqual([1, 'error: The table does not match its history.\n']);
  expect(stdout).toMatch(
    /^DIFFERS: application ledger: rolloutPercent is 100 in the table, and 12.5 by the changes \(last change: 01/,
  );
  expect(stdout).toContain('Compared 8 users, accesses, roles and applications with their changes.\n');
});

test('an item that is older than the export is named, and not compared', async () => {
  const role = items.find(({ sk }) => sk === 'ROLE#editor');
  const later = items.filter(({ at }) => at === undefined || String(at) > String(role?.updatedAt));
  const { code, state } = await verify(items, later);
  expect([code, state.differences, state.older]).toEqual([0, [], ['role editor of ledger']]);
});

test('a change that does not start from the state before it shows that the item was altered in between', async () => {
  const [item] = items.filter(({ pk, sk }) => pk === access[0] && sk === access[1]);
  await putItems(service, { ...item, status: 'enabled', until: '2028-01-01T00:00:00.000Z' } as Item);
  await ask('PUT', '/users/zoe/access/ledger', { status: 'disabled', reason: 'unpaid', until: null });
  const { code, breaks } = await verify(await scan());
  expect([code, breaks]).toEqual([
    1,
    [expect.objectContaining({ kind: 'before-differs', names: ['status', 'until'], count: 1 })],
  ]);
});

test.each([
  ['something else', JSON.stringify({ id: 'x' })],
  ['items without types', JSON.stringify({ Item: { pk: 'x' } })],
])('a file with %s is not an export of the table', async (_, content) => {
  writeFileSync(join(folder, 'other'), content);
  writeFileSync(join(folder, 'table.jsonl'), items.map(line).join('\n'));
  const { code, stderr } = await runHere(['history', 'verify', 'table.jsonl', '--state', 'other'], { cwd: folder });
  expect([code, stderr]).toEqual([2, 'error: Other is not an export of the table in DynamoDB JSON.\n']);
});

test('the answer of a scan is an export of the table', async () => {
  writeFileSync(
    join(folder, 'scan.json'),
    JSON.stringify({ Items: items.map((item) => marshall(item)), Count: items.length }),
  );
  const { code } = await runHere(['history', 'verify', 'scan.json', '--state', 'scan.json'], { cwd: folder });
  expect(code).toBe(0);
});
