import { beforeEach, expect, test } from '@jest/globals';
import type { SnapshotPage } from '#shared/contract/access-snapshot.ts';
import type { AppId, KeyId } from '#shared/contract/fields.ts';
import { readSnapshot } from '#shared/domain/access/read-snapshot.ts';
import { storedAccess, storedApplication, storedKey, storedUser } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const appId = 'billing' as AppId;
const keyId = 'svk_k1_billing_a' as KeyId;
const createdAt = '2026-01-01T00:00:00.000Z';
const context = {
  requestId: 'r',
  sourceIp: '192.0.2.7',
  requiredScope: 'access:read',
  caller: { kind: 'api-key', appId, keyId },
} as const;

const memory = tableForEachTest();
beforeEach(() => {
  const keys = { [keyId]: storedKey() };
  memory.put({
    ...storedApplication(),
    pk: 'APP#billing',
    sk: 'APP',
    appId,
    name: 'Billing',
    version: 1,
    createdAt,
    updatedAt: createdAt,
    keys,
  });
});

const userIdAt = (n: number) => `user-${10_000 + n}`;
const putUser = (userId: string) => {
  const user = { userId, status: 'active', version: 1, createdAt, updatedAt: createdAt };
  memory.put({ ...storedUser(), pk: `USER#${userId}`, sk: 'USER', gsi1pk: 'USERS', gsi1sk: userId, ...user });
};
const putMark = (userId: string) =>
  memory.put({ pk: `USER#${userId}`, sk: 'INACTIVE', gsi1pk: 'USERS#INACTIVE', gsi1sk: userId, userId, changeId: 'A' });
const putAccess = (userId: string, status: string | null = 'disabled') => {
  const index = { gsi1pk: 'APP#billing#USERS', gsi1sk: `user#${userId}` };
  memory.put({
    ...storedAccess(),
    pk: `USER#${userId}`,
    sk: 'ACCESS#billing',
    ...index,
    userId,
    appId,
    status,
    version: 1,
  });
};
const queries = () => memory.sdk.requests.filter(({ command }) => command === 'QueryCommand');

async function readAll(limit: number): Promise<SnapshotPage[]> {
  const pages: SnapshotPage[] = [];
  let after: string | undefined;
  do {
    const page = await readSnapshot({ appId, limit, after }, context);
    pages.push(page);
    after = page.cursor ?? undefined;
  } while (after !== undefined);
  return pages;
}

test('a page takes one query for each kind of entry, regardless of the number of users', async () => {
  for (let n = 0; n < 6000; n++) putUser(userIdAt(n));
  for (const n of [7, 5999]) putMark(userIdAt(n));
  putAccess(userIdAt(8));
  const pages = await readAll(2500);
  expect(pages.map(({ items, total }) => [items.map(({ kind, userId }) => `${kind} ${userId}`), total])).toEqual([
    [['inactive user-10007', 'inactive user-15999', 'access user-10008'], 3],
  ]);
  expect(queries().map(({ input }) => input.ExpressionAttributeValues[':pk'].S)).toEqual([
    ...['USERS#ERASED', 'USERS#INACTIVE', 'APP#billing#USERS'],
  ]);
});

test('a page has the requested number of entries, across the kinds of entries', async () => {
  for (let n = 0; n < 5; n++) putMark(userIdAt(n));
  for (let n = 0; n < 4; n++) putAccess(userIdAt(n));
  const pages = await readAll(2);
  expect(pages.map(({ items }) => items.map(({ kind }) => kind).join(' '))).toEqual([
    ...['inactive inactive', 'inactive inactive', 'inactive access', 'access access', 'access'],
  ]);
});

test('a page ends after four queries, even with fewer entries than requested, and the next continues', async () => {
  for (let n = 0; n < 12; n++) putAccess(userIdAt(n), null);
  putAccess(userIdAt(12));
  const pages = await readAll(2);
  expect(pages.map(({ items }) => items.length)).toEqual([0, 0, 1]);
  expect(queries()).toHaveLength(4 + 4 + 1);
});
