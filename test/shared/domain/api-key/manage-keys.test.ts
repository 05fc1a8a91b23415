import { beforeEach, expect, jest, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { issueKey, revokeKey, rotateKey, updateKey } from '#shared/domain/api-key/manage-keys.ts';
import { listKeys } from '#shared/domain/api-key/owned-keys.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';
import { deriveSecret, formatKeyId } from '#shared/keys/key-id.ts';
import { rootKey } from '#shared/keys/root-keys.ts';
import type { KeyState } from '#shared/table/items/key-state.ts';
import { operatorAttempt, storedKey } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { applicationItem, keyUseItem } from '../../../support/table-items.ts';

const appId = 'billing' as AppId;
const start = '2026-11-20T19:00:00.000Z';
const context: OperatorContext = {
  requestId: 'r',
  sourceIp: '192.0.2.7',
  caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'eve', email: 'eve@example.com' },
};
const scopes = ['access:read', 'access:write'] as const;
const idOf = (n: number, root = 'k1') =>
  formatKeyId({ rootVersion: root, appId, ulid: `01JCZ5T00000000000000000${10 + n}` });
const stateOf = (also: Partial<KeyState> = {}) => storedKey({ scopes, createdAt: '2026-11-01T00:00:00.000Z', ...also });
const issue = (also: object = {}, by = context) => issueKey({ appId, scopes, expiresAt: null, ...also }, by);
const rotate = (keyId: string, also: object = {}) =>
  rotateKey({ appId, keyId, overlapSeconds: 3600, ...also }, context);

const memory = tableForEachTest(new Date(start));
const putApplication = (keys: Readonly<Record<string, KeyState>> = {}) =>
  memory.put(applicationItem({ version: 4, keys }));
const storedKeys = () => Object(memory.table.get({ pk: 'APP#billing', sk: 'APP' })?.keys);
const changes = () => memory.table.items().filter(({ sk }) => String(sk).startsWith('CHANGE#'));

beforeEach(() => {
  putApplication();
});

test('a key is issued with scopes, expiry, label and issuer, and recorded without its secret', async () => {
  const expiresAt = '2026-11-21T19:00:00.000Z';
  const issued = await issue({ expiresAt, label: 'Backend' });
  const { keyId, secret, lastUsedOn, replaces, replacedBy, ...view } = issued;
  const root = await rootKey('k1');
  expect(secret).toBe(root && deriveSecret(root, keyId as never));
  const issuedBy = { via: 'iam', id: 'eve', email: 'eve@example.com' };
  expect(view).toEqual({ label: 'Backend', scopes, createdAt: start, issuedBy, expiresAt, revokedAt: null });
  expect([lastUsedOn, replaces, replacedBy]).toEqual([null, null, null]);
  expect(storedKeys()).toEqual({ [keyId]: { ...view, lifetimeSeconds: 86_400 } });
  expect(changes()).toEqual([
    expect.objectContaining({
      action: 'key.issued',
      keyId,
      before: { version: 4 },
      after: { scopes: 'access:read access:write', expiresAt, label: 'Backend', version: 5 },
    }),
  ]);
  expect(JSON.stringify(memory.table.items())).not.toContain(secret);
});

test('a key has no label unless one was given, and keeps what is known about its issuer', async () => {
  const by = { ...context, caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'eve' } } as const;
  expect(await issue({}, by)).toMatchObject({ label: null, issuedBy: { via: 'iam', id: 'eve', email: null } });
  const byService = { ...context, caller: { kind: 'service' } };
  expect(await issue({}, byService as never)).toMatchObject({ issuedBy: null });
});

test('a dry run issues no key and returns no secret', async () => {
  putApplication({ [idOf(1)]: stateOf() });
  const dryRun = { ...context, dryRun: true };
  expect(await issue({ label: 'Backend' }, dryRun)).toMatchObject({ label: 'Backend', secret: '' });
  const rotated = await rotateKey({ appId, keyId: idOf(1), overlapSeconds: 0 }, dryRun);
  expect(rotated).toMatchObject({ scopes, secret: '' });
  expect(Object.keys(storedKeys())).toEqual([idOf(1)]);
  expect(changes()).toEqual([]);
});

test('an eleventh active key and an already expired key are refused without a write', async () => {
  const active = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [idOf(n), stateOf()]));
  putApplication(active);
  await expect(issue()).rejects.toMatchObject({ code: 'too_many_keys' });
  await expect(rotate(idOf(1))).rejects.toMatchObject({ code: 'too_many_keys' });
  putApplication({ [idOf(1)]: stateOf() });
  for (const refused of [issue({ expiresAt: start }), rotate(idOf(1), { expiresAt: start })]) {
    await expect(refused).rejects.toMatchObject({ options: { field: { name: 'expiresAt' } } });
  }
  expect(changes()).toEqual([]);
});

test('rotating to an avoided root version is refused without a write', async () => {
  putApplication({ [idOf(1)]: stateOf() });
  for (const dryRun of [true, false]) {
    const refused = rotateKey({ appId, keyId: idOf(1), overlapSeconds: 0, avoidRoot: 'k1' }, { ...context, dryRun });
    await expect(refused).rejects.toMatchObject({ options: { field: { name: 'avoidRoot' } } });
  }
  expect([storedKeys(), changes()]).toEqual([{ [idOf(1)]: stateOf() }, []]);
  expect((await rotate(idOf(1), { avoidRoot: 'k2' })).keyId).toMatch(/^svk_k1_/);
});

test('keys that ended thirty days ago are removed with the next change of any key', async () => {
  const ended = { [idOf(1)]: stateOf({ revokedAt: '2026-10-21T19:00:00.000Z' }) };
  const kept = { [idOf(2)]: stateOf({ revokedAt: '2026-10-21T19:00:01.000Z' }), [idOf(3)]: stateOf() };
  for (const change of [
    () => issue(),
    () => rotate(idOf(3)),
    () => revokeKey({ appId, keyId: idOf(3) }, context),
    () => updateKey({ appId, keyId: idOf(3), label: 'Other' }, context),
  ]) {
    putApplication({ ...ended, ...kept });
    await change();
    expect(Object.keys(storedKeys())).toEqual(expect.arrayContaining([idOf(2), idOf(3)]));
    expect(storedKeys()).not.toHaveProperty(idOf(1));
  }
});

test('a rotated key has the scopes, label and lifetime of the old one, which expires after the overlap', async () => {
  const day = { expiresAt: '2026-11-21T07:00:00.000Z', lifetimeSeconds: 86_400 };
  putApplication({ [idOf(1)]: stateOf({ label: 'Backend', ...day }) });
  const rotated = await rotate(idOf(1));
  expect(rotated).toMatchObject({ label: 'Backend', scopes, createdAt: start, expiresAt: '2026-11-21T19:00:00.000Z' });
  expect(rotated.secret).toMatch(/^svs_/);
  expect(storedKeys()).toEqual({
    [idOf(1)]: stateOf({ label: 'Backend', ...day, expiresAt: '2026-11-20T20:00:00.000Z' }),
    [rotated.keyId]: expect.objectContaining({
      lifetimeSeconds: 86_400,
      issuedBy: expect.objectContaining({ id: 'eve' }),
    }),
  });
  expect(changes()).toEqual([
    expect.objectContaining({
      action: 'key.rotated',
      keyId: rotated.keyId,
      before: { keyId: idOf(1), expiresAt: '2026-11-21T07:00:00.000Z', version: 4 },
      after: {
        keyId: idOf(1),
        expiresAt: '2026-11-20T20:00:00.000Z',
        newExpiresAt: '2026-11-21T19:00:00.000Z',
        version: 5,
      },
    }),
  ]);
});

test('a rotated key and its successor name each other, also after a second rotation and once the old key is dropped', async () => {
  putApplication({ [idOf(1)]: stateOf() });
  const first = await rotate(idOf(1), { overlapSeconds: 30 * 86_400 });
  expect(first).toMatchObject({ replaces: idOf(1), replacedBy: null });
  const rotationOf = async () => {
    const { items } = await listKeys({ appId, limit: 10, cursor: undefined });
    return Object.fromEntries(items.map(({ keyId, replaces, replacedBy }) => [keyId, { replaces, replacedBy }]));
  };
  const expected = { [idOf(1)]: { replaces: null, replacedBy: first.keyId } };
  expect(await rotationOf()).toEqual({ ...expected, [first.keyId]: { replaces: idOf(1), replacedBy: null } });
  expect(await updateKey({ appId, keyId: idOf(1), label: 'Old' }, context)).toMatchObject(expected[idOf(1)] ?? {});
  jest.setSystemTime(new Date('2026-11-20T20:00:00.000Z'));
  const second = await rotate(idOf(1), { overlapSeconds: 0 });
  expect(await rotationOf()).toEqual({
    [idOf(1)]: { replaces: null, replacedBy: second.keyId },
    [first.keyId]: { replaces: idOf(1), replacedBy: null },
    [second.keyId]: { replaces: idOf(1), replacedBy: null },
  });
  jest.setSystemTime(new Date('2026-12-21T20:00:00.000Z'));
  await updateKey({ appId, keyId: second.keyId, label: 'New' }, context);
  expect(await rotationOf()).toMatchObject({ [second.keyId]: { replaces: idOf(1) } });
  expect(storedKeys()).not.toHaveProperty(idOf(1));
});

test.each([
  [
    'that expires before the overlap keeps its expiry',
    { expiresAt: '2026-11-20T19:59:59.000Z' },
    '2026-11-20T19:59:59.000Z',
  ],
  [
    'that expires later expires with the overlap',
    { expiresAt: '2026-11-20T20:00:01.000Z' },
    '2026-11-20T20:00:00.000Z',
  ],
  ['without expiry expires with the overlap', { expiresAt: null }, '2026-11-20T20:00:00.000Z'],
])('a rotated key %s', async (_, also, end) => {
  putApplication({ [idOf(1)]: stateOf(also) });
  await rotate(idOf(1));
  expect(storedKeys()[idOf(1)]).toMatchObject({ expiresAt: end });
});

test('a rotation gives the new key the requested expiry, or none, or the lifetime of the old one', async () => {
  putApplication({ [idOf(1)]: stateOf({ lifetimeSeconds: 60, expiresAt: '2027-01-01T00:00:00.000Z' }) });
  const asked = '2026-12-01T00:00:00.000Z';
  expect(await rotate(idOf(1), { expiresAt: asked })).toMatchObject({ expiresAt: asked });
  expect(await rotate(idOf(1), { expiresAt: null })).toMatchObject({ expiresAt: null });
  expect(await rotate(idOf(1))).toMatchObject({ expiresAt: '2026-11-20T19:01:00.000Z' });
  putApplication({ [idOf(1)]: stateOf() });
  expect(await rotate(idOf(1))).toMatchObject({ expiresAt: null });
});

test('an ended or unknown key is not rotated', async () => {
  const ended = [stateOf({ revokedAt: '2026-11-19T00:00:00.000Z' }), stateOf({ expiresAt: start })];
  putApplication(Object.fromEntries(ended.map((state, n) => [idOf(n), state])));
  for (const n of [0, 1]) {
    await expect(rotate(idOf(n))).rejects.toMatchObject({
      code: 'key_not_found',
      options: { detail: 'This key is revoked or has expired. Issue a new one.' },
    });
  }
  await expect(rotate(idOf(2))).rejects.toMatchObject({ code: 'key_not_found' });
});

test('a key is labelled and revoked once, each with a record, and shows its last use', async () => {
  putApplication({ [idOf(1)]: stateOf() });
  memory.put(keyUseItem(appId, idOf(1), '2026-11-19'));
  const named = { appId, keyId: idOf(1) };
  const labelled = { keyId: idOf(1), label: 'Backend', lastUsedOn: '2026-11-19', revokedAt: null };
  expect(await updateKey({ ...named, label: 'Backend' }, context)).toMatchObject({ ...labelled, changed: true });
  expect(await updateKey({ ...named, label: 'Backend' }, context)).toMatchObject({ ...labelled, changed: false });
  jest.setSystemTime(new Date('2026-11-20T20:00:00.000Z'));
  const revoked = { ...labelled, revokedAt: '2026-11-20T20:00:00.000Z' };
  expect(await revokeKey(named, context)).toMatchObject({ ...revoked, changed: true });
  jest.setSystemTime(new Date('2026-11-20T21:00:00.000Z'));
  expect(await revokeKey(named, context)).toMatchObject({ ...revoked, changed: false });
  expect(changes().map(({ action, keyId, before, after }) => ({ action, keyId, before, after }))).toEqual([
    {
      action: 'key.updated',
      keyId: idOf(1),
      before: { label: null, version: 4 },
      after: { label: 'Backend', version: 5 },
    },
    {
      action: 'key.revoked',
      keyId: idOf(1),
      before: { revokedAt: null, version: 5 },
      after: { revokedAt: revoked.revokedAt, version: 6 },
    },
  ]);
});

test('an unused key shows no use', async () => {
  putApplication({ [idOf(1)]: stateOf() });
  expect(await revokeKey({ appId, keyId: idOf(1) }, context)).toMatchObject({ lastUsedOn: null });
});

test('a retry gets the same secret, or none once its root is gone', async () => {
  const attempt = (requestId: string) => issue({}, operatorAttempt(requestId, 'call'));
  const issued = await attempt('first');
  expect(await attempt('second')).toEqual(issued);
  const ended = memory.table.items().find(({ sk }) => sk === 'IDEMPOTENCY');
  memory.put({ ...ended, outcome: String(ended?.outcome).replaceAll('svk_k1', 'svk_k9') });
  await expect(attempt('third')).rejects.toThrow('ROOT_KEYS does not list the root version of an issued key');
  expect(Object.keys(storedKeys())).toEqual([issued.keyId]);
});

test('the keys of an application are listed newest first, with their last uses', async () => {
  const days = ['2026-11-02', '2026-11-04', '2026-11-01', '2026-11-03'];
  putApplication(Object.fromEntries(days.map((day, n) => [idOf(n), stateOf({ createdAt: `${day}T00:00:00.000Z` })])));
  memory.put(keyUseItem(appId, idOf(3), '2026-11-19'));
  const list = async (limit: number, cursor?: string) => {
    const page = await listKeys({ appId, limit, cursor });
    return [page.items.map(({ keyId }) => keyId), page.cursor] as const;
  };
  const [newest, second, third, oldest] = [idOf(1), idOf(3), idOf(0), idOf(2)];
  expect(await list(4)).toEqual([[newest, second, third, oldest], null]);
  expect(await list(3)).toEqual([[newest, second, third], third]);
  expect(await list(3, third)).toEqual([[oldest], null]);
  expect(await list(2, newest)).toEqual([[second, third], third]);
  await expect(list(2, 'svk_k1_other')).rejects.toMatchObject({ code: 'invalid_request' });
  const { items } = await listKeys({ appId, limit: 2, cursor: undefined });
  expect(items.map(({ lastUsedOn }) => lastUsedOn)).toEqual([null, '2026-11-19']);
});
