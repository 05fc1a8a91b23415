import { beforeEach, expect, jest, test } from '@jest/globals';
import type { SnapshotPage } from '#shared/contract/access-snapshot.ts';
import { readSnapshot } from '#shared/domain/access/read-snapshot.ts';
import { appId, context, readerItem } from '../../../support/access-reader.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import {
  accessEntryItem,
  accessItem,
  inactiveMarkItem,
  userEntryItem,
  userItem,
} from '../../../support/table-items.ts';

const memory = tableForEachTest();
beforeEach(() => {
  memory.put(readerItem());
});

const userIdAt = (n: number) => `user-${10_000 + n}`;
const putMark = (n: number) => memory.put(inactiveMarkItem(userIdAt(n)));
const putAccess = (n: number, status: 'disabled' | null = 'disabled') =>
  memory.put(accessEntryItem(appId, userIdAt(n)), accessItem({ userId: userIdAt(n), status }));
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

test('a snapshot on one page takes a query for each feed and kind of entry, regardless of the number of users', async () => {
  for (let n = 0; n < 6000; n++) memory.put(userItem({ userId: userIdAt(n) }), userEntryItem(userIdAt(n)));
  for (const n of [7, 5999]) putMark(n);
  putAccess(8);
  const pages = await readAll(2500);
  expect(pages.map(({ items, total }) => [items.map(({ kind, userId }) => `${kind} ${userId}`), total])).toEqual([
    [['inactive user-10007', 'inactive user-15999', 'access user-10008'], 3],
  ]);
  expect(queries().map(({ input }) => input.ExpressionAttributeValues[':pk'].S)).toEqual([
    'FEED#billing',
    'FEED#USERS',
    'USERS#ERASED',
    'USERS#INACTIVE',
    'APP#billing#USERS',
  ]);
});

test('a page has the requested number of entries, across the kinds of entries', async () => {
  for (let n = 0; n < 5; n++) putMark(n);
  for (let n = 0; n < 4; n++) putAccess(n);
  const pages = await readAll(2);
  expect(pages.map(({ items }) => items.map(({ kind }) => kind).join(' '))).toEqual([
    'inactive inactive',
    'inactive inactive',
    'inactive access',
    'access access',
    'access',
  ]);
});

test('a page ends after four queries, even with fewer entries than requested, and the next continues', async () => {
  for (let n = 0; n < 12; n++) putAccess(n, null);
  putAccess(12);
  const pages = await readAll(2);
  expect(pages.map(({ items }) => items.length)).toEqual([0, 0, 1]);
  expect(queries()).toHaveLength(2 + 4 + 4 + 1);
});

test('each page makes progress, however slowly the table answers', async () => {
  for (let n = 0; n < 3; n++) putMark(n);
  memory.before = () => jest.setSystemTime(Date.now() + 1600);
  const pages = await readAll(1000);
  // One for each kind of entry: a page without a query would return the cursor that it was given.
  expect(pages.map(({ items }) => items.length)).toEqual([0, 3, 0]);
});
