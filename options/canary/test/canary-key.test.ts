import { expect, jest, test } from '@jest/globals';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';
import { createUser } from '#shared/domain/user/users.ts';
import { formatKeyId } from '#shared/keys/key-id.ts';
import { storedKey } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { canaryKey } from '../canary-key.ts';

const [appId, userId] = ['canary' as AppId, 'canary' as UserId];
const context: OperatorContext = {
  requestId: 'r',
  sourceIp: '192.0.2.7',
  caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'canary' },
};
const get = () => canaryKey('canary', context);
const itemKey = { pk: 'APP#canary', sk: 'APP' };

const memory = tableForEachTest(new Date('2026-11-20T19:00:00.000Z'));
const application = () => memory.table.get(itemKey);
const user = () => memory.table.get({ pk: 'USER#canary', sk: 'USER' });
const storedKeys = () => Object(application()?.keys);
const idOf = (root: string, n: number) =>
  formatKeyId({ rootVersion: root, appId, ulid: `01JCZ5T000000000000000000${n}` });
const keyOf = (createdAt: string, also: object = {}) =>
  storedKey({ scopes: ['access:read', 'access:write', 'roles:write'], label: 'Canary', createdAt, ...also });

test('the application, the user and the key of the canary are recognizable in every list', async () => {
  const canary = await get();
  expect(canary.userId).toBe('canary');
  expect([application()?.name, user()?.displayName, user()?.email]).toEqual(['Canary', 'Canary', null]);
  expect(storedKeys()).toEqual({
    [canary.keyId]: expect.objectContaining(keyOf('2026-11-20T19:00:00.000Z', { issuedBy: expect.anything() })),
  });
});

test('the canary key is the same each time, with the same secret, and takes three reads and no write', async () => {
  const first = await get();
  memory.sdk.requests.length = 0;
  expect(await get()).toEqual(first);
  expect(memory.sdk.requests.map(({ command }) => command)).toEqual(Array(3).fill('BatchGetItemCommand'));
});

test('of several keys the canary uses the oldest valid one', async () => {
  await get();
  const keys = {
    [idOf('k1', 5)]: keyOf('2026-05-01T00:00:00.000Z'),
    [idOf('k1', 1)]: keyOf('2026-01-01T00:00:00.000Z', { revokedAt: '2026-06-01T00:00:00.000Z' }),
    [idOf('k1', 2)]: keyOf('2026-02-01T00:00:00.000Z', { expiresAt: '2026-06-01T00:00:00.000Z' }),
    [idOf('k1', 3)]: keyOf('2026-03-01T00:00:00.000Z'),
    [idOf('k1', 4)]: keyOf('2026-04-01T00:00:00.000Z'),
  };
  memory.put({ ...application(), keys });
  expect((await get()).keyId).toBe(idOf('k1', 3));
});

test('a canary key whose root is gone is revoked, and another one is used', async () => {
  await get();
  const ended = { [idOf('k9', 1)]: keyOf('2026-01-01T00:00:00.000Z') };
  memory.put({ ...application(), keys: { ...ended, [idOf('k1', 2)]: keyOf('2026-02-01T00:00:00.000Z') } });
  expect((await get()).keyId).toBe(idOf('k1', 2));
  expect(storedKeys()).toMatchObject({
    [idOf('k9', 1)]: { revokedAt: '2026-11-20T19:00:00.000Z' },
    [idOf('k1', 2)]: { revokedAt: null },
  });
  memory.put({ ...application(), keys: ended });
  const { keyId, secret } = await get();
  expect(keyId).toMatch(/^svk_k1_canary_/);
  expect(secret).toMatch(/^svs_/);
  expect(storedKeys()).toMatchObject({
    [idOf('k9', 1)]: { revokedAt: expect.any(String) },
    [keyId]: { revokedAt: null },
  });
});

test('an application and a user that another process creates concurrently are used unchanged', async () => {
  const another: OperatorContext = { ...context, requestId: 'another' };
  memory.beforeFirst('TransactWriteItemsCommand', async () => {
    await createApplication({ appId, name: 'Of another' }, another);
    await createUser({ userId, displayName: 'Of another', email: null }, another);
  });
  const taken = get();
  await jest.runAllTimersAsync();
  expect((await taken).keyId).toMatch(/^svk_k1_canary_/);
  expect([application()?.name, user()?.displayName]).toEqual(['Of another', 'Of another']);
});

test.each([
  ['APP#canary', 'Error'],
  ['USER#canary', 'Error'],
  ['USER#canary', 'ThrottlingException'],
])('no key is issued if %s cannot be written because of %s', async (pk, name) => {
  memory.before = ({ command, input }) => {
    if (command !== 'TransactWriteItemsCommand' || !JSON.stringify(input).includes(`"${pk}"`)) return;
    throw Object.assign(new Error('It cannot be written'), { name });
  };
  const refused = expect(get()).rejects.toThrow();
  await jest.runAllTimersAsync();
  await refused;
  expect(storedKeys()).toEqual({});
});
