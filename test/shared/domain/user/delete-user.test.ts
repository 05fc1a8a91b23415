import { beforeEach, expect, jest, test } from '@jest/globals';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { transact } from '#shared/table/client.ts';
import { eraseAccessEntries } from '#shared/table/items/access-item.ts';
import { uncountBlockEntry } from '#shared/table/items/counters-item.ts';
import { pendingKey, usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import { erasedEntryKey } from '#shared/table/keys/user-item-keys.ts';
import { operatorContext as context } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { accessItem, memberItem, userEntryItem, userItem } from '../../../support/table-items.ts';

const start = new Date('2026-11-20T19:00:00.000Z');
const userId = 'ada' as UserId;
const key = { pk: 'USER#ada', sk: 'USER' };
const listed = userEntryItem(userId);

const memory = tableForEachTest(start);
const put = (user: Parameters<typeof userItem>[0] = {}) =>
  memory.put(userItem({ status: 'inactive', displayName: 'Ada', version: 3, ...user }), listed);
const putAccess = (appId: string, ...roles: string[]) => {
  const grant = { grantedAt: '2026-01-01T00:00:00.000Z', expiresAt: null };
  memory.put(accessItem({ appId, roles: Object.fromEntries(roles.map((role) => [role, grant])) }));
  memory.put(...roles.map((role) => memberItem({ appId, role })));
};
const remove = () => deleteUser({ userId }, context);
const places = () => memory.table.items().map(({ pk, sk }) => `${pk} ${sk}`);
const erasures = () =>
  memory.table.items().filter(({ action, sk }) => action === 'user.deleted' && /^CHANGE#/.test(String(sk)));

beforeEach(() => {
  put();
});

test('a user is erased with all accesses, members, changes and words, and the erasure stays on record', async () => {
  put({ words: ' ada lovelace' });
  putAccess('billing', 'editor', 'viewer');
  putAccess('wiki');
  memory.put({ pk: key.pk, sk: 'OTHER' });
  for (const word of ['ada', 'lovelace']) {
    memory.put({ pk: `FIND#${word.slice(0, 2)}`, sk: `${word}#ada`, userId, word, words: ' ada lovelace' });
  }
  expect(await remove()).toEqual({ changed: true, complete: true });
  const [erasure] = erasures();
  expect(erasure).toMatchObject({
    userId,
    after: null,
    reason: null,
    at: start.toISOString(),
    before: { status: 'inactive', version: 3 },
  });
  const pending = memory.table.items().find(({ sk }) => String(sk).startsWith('PENDING#'));
  expect(pending).toEqual({
    ...pendingKey(usersFeed, { id: String(erasure?.id), userId }),
    id: erasure?.id,
    action: 'user.deleted',
    counts: { users: -1, inactive: -1 },
    userId,
  });
  expect(places().sort()).toEqual(
    [`FEED#USERS ${pending?.sk}`, 'USER#ada USER', `USER#ada ${erasure?.sk}`, 'USERS#ERASED ada'].sort(),
  );
  const { pk, sk, lastChangeId, chainHead, ...mark } = memory.table.get(key) ?? {};
  expect(mark).toEqual({ userId, erased: true, erasedAt: start.toISOString(), ttl: expect.any(Number) });
  const erased = { pk: 'USERS#ERASED', sk: 'ada', userId, lastChangeId, erasedAt: mark.erasedAt, ttl: mark.ttl };
  expect(memory.table.get({ pk: 'USERS#ERASED', sk: 'ada' })).toEqual(erased);
});

test('any number of changes is erased', async () => {
  for (let n = 100; n < 350; n++) memory.put({ pk: key.pk, sk: `CHANGE#0${n}` });
  expect(await remove()).toEqual({ changed: true, complete: true });
  expect(places().filter((place) => / CHANGE#0\d{3}$/.test(place))).toEqual([]);
});

test('an unknown user counts as erased', async () => {
  for (const Key of [key, listed]) memory.table.apply({ kind: 'Delete', input: { Key } });
  expect(await remove()).toEqual({ changed: false, complete: true });
  expect(places()).toEqual([]);
});

test('an interrupted deletion is resumed without another change', async () => {
  putAccess('billing', 'editor');
  memory.put(userItem({ deleting: true }), { ...erasedEntryKey(userId), userId, lastChangeId: 'B' });
  memory.table.apply({ kind: 'Delete', input: { Key: listed } });
  expect(await remove()).toEqual({ changed: true, complete: true });
  expect(erasures()).toEqual([]);
  expect(places()).toEqual(['USER#ada USER', 'USERS#ERASED ada']);
});

test('a dry run writes nothing, even for an interrupted deletion', async () => {
  for (const item of [{}, { deleting: true }]) {
    put(item);
    putAccess('billing', 'editor');
    const before = memory.table.items();
    expect(await deleteUser({ userId }, { ...context, dryRun: true })).toEqual({ changed: true, complete: true });
    expect(memory.table.items()).toEqual(before);
  }
});

test('a deletion that runs out of time reports it, and a retry resumes it', async () => {
  for (let n = 0; n < 150; n++) putAccess(`app-${n}`);
  memory.before = ({ command }) => {
    if (command === 'QueryCommand') jest.setSystemTime(Date.now() + 30_000);
  };
  expect(await remove()).toEqual({ changed: true, complete: false });
  expect(memory.table.get(key)).toMatchObject({ deleting: true });
  memory.before = undefined;
  expect(await remove()).toEqual({ changed: true, complete: true });
  expect(memory.table.get(key)).toMatchObject({ erased: true });
});

test('a user who was recreated during the erasure is not affected', async () => {
  putAccess('billing');
  memory.before = ({ command }) => {
    if (command === 'QueryCommand') put({ createdAt: start.toISOString() });
  };
  expect(await remove()).toEqual({ changed: true, complete: true });
  expect(places()).toContain('USER#ada ACCESS#billing');
  expect(memory.table.get(key)).not.toHaveProperty('erased');
});

test('a block without an end is subtracted from its application once, by two deletions at once too; one with an end is not', async () => {
  const until = '2026-12-24T00:00:00.000Z';
  memory.put(accessItem({ appId: 'billing', status: 'disabled' }));
  memory.put(accessItem({ appId: 'crm', status: 'disabled', until }), accessItem({ appId: 'wiki' }));
  // What another deletion does that has read the same.
  const billing = { userId, appId: 'billing' as AppId };
  const other = () => transact([uncountBlockEntry(billing.appId), ...eraseAccessEntries(billing)]);
  memory.beforeFirst('correctedBlocked', other);
  expect(await remove()).toEqual({ changed: true, complete: true });
  const counters = memory.table.items().filter(({ pk }) => pk === 'OVERVIEW');
  expect(counters).toEqual([{ pk: 'OVERVIEW', sk: 'billing', correctedBlocked: -1 }]);
});
