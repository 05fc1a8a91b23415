import { expect, test } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { findUsers } from '#shared/domain/user/find-users.ts';
import { resolveUsers } from '#shared/domain/user/resolve-users.ts';
import { createUser, setUserStatus } from '#shared/domain/user/users.ts';
import { pagesOf } from '../../../support/pages-of.ts';
import { operatorContext as context } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const create = (userId: string, displayName: string | null = null, email: string | null = null) =>
  createUser({ userId: userId as UserId, displayName, email }, context);
const find = async (q: string, limit = 100, cursor?: string) => {
  const page = await findUsers({ q, limit, cursor });
  return [page.items.map(({ userId }) => userId), page.cursor] as const;
};
/** Reads all pages, one after the other. */
const pages = async (q: string, limit: number) =>
  (await pagesOf((cursor) => findUsers({ q, limit, cursor }))).map(({ items }) => items.map(({ userId }) => userId));

const memory = tableForEachTest();
/** Returns the keys of the items that were read by key. */
const readKeys = () =>
  memory.sdk.requests
    .filter(({ command }) => command === 'BatchGetItemCommand')
    .flatMap(({ input }) => Object.values<{ Keys: { pk: { S: string } }[] }>(input.RequestItems))
    .flatMap(({ Keys }) => Keys.map(({ pk }) => pk.S));

test('an exact id match comes first, and pages of any size have every user once', async () => {
  await create('zoe-2', 'Zoe Adams');
  await create('zoe-3', 'Zoe Adamson');
  await create('zoe', 'Somebody Else');
  await create('abc', 'Zoe Abc');
  await create('aaa', 'Zoe Aaa');
  const all = ['zoe', 'aaa', 'abc', 'zoe-2', 'zoe-3'];
  expect(await find(' zoe ')).toEqual([all, null]);
  for (const limit of [1, 2, 3, 4, 5]) {
    const found = await pages('zoe', limit);
    expect(found.flat()).toEqual(all);
    expect(Math.max(...found.map((ids) => ids.length))).toBeLessThanOrEqual(limit);
  }
});

test('a search can be filtered by status, and a cursor is valid only for its search', async () => {
  for (const userId of ['u1', 'u2', 'u3']) await create(userId, 'Ada');
  await setUserStatus({ userId: 'u2' as UserId, status: 'inactive', reason: null }, context);
  const idsOf = async (status: 'active' | 'inactive') =>
    (await findUsers({ q: 'ada', status, limit: 10 })).items.map(({ userId }) => userId);
  expect([await idsOf('active'), await idsOf('inactive')]).toEqual([['u1', 'u3'], ['u2']]);
  const { cursor } = await findUsers({ q: 'ada', limit: 1 });
  for (const other of [{ q: 'ad' }, { q: 'ada', status: 'active' }] as const) {
    const search = findUsers({ ...other, limit: 1, cursor: cursor ?? '' });
    await expect(search).rejects.toMatchObject({ code: 'invalid_request' });
  }
});

test('a search reads only the found users and the exact id match', async () => {
  await create('u1', 'Ada Lovelace');
  memory.sdk.requests.length = 0;
  expect(await find('ada lovelace')).toEqual([['u1'], null]);
  expect(await find('ada')).toEqual([['u1'], null]);
  expect(readKeys()).toEqual(['USER#u1', 'USER#ada', 'USER#u1']);
});

test('a search accepts twelve words, the maximum for a user, and finds no one by more', async () => {
  const words = Array.from({ length: 11 }, (_, n) => `name${10 + n}`);
  await create('u1', words.join(' '));
  expect(await find(['u1', ...words].join(' '))).toEqual([['u1'], null]);
  expect(await find(['u1', ...words, 'u'].join(' '))).toEqual([['u1'], null]);
  memory.sdk.requests.length = 0;
  expect(await find(['u1', ...words, 'other'].join(' '))).toEqual([[], null]);
  expect(memory.sdk.requests).toEqual([]);
  await expect(find(['u1', ...words, 'other'].join(' '), 10, 'e30')).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a user who no longer has the word of an entry is not found by it', async () => {
  await create('u1', 'Ada Lovelace');
  memory.put({ pk: 'FIND#ki', sk: 'king#u1', userId: 'u1', word: 'king', words: '1 ada king u1' });
  expect([await find('king'), await find('lovelace')]).toEqual([
    [[], null],
    [['u1'], null],
  ]);
});

const resolve = async (...names: string[]) =>
  (await resolveUsers(names)).map(({ users }) => users.map(({ userId }) => userId));

test('a name is looked up as a user id or an e-mail address, without other reads', async () => {
  await create('ada', 'Ada King', 'ada@example.com');
  memory.sdk.requests.length = 0;
  expect(await resolve(' ada ', 'Ada King <ADA@example.com>', 'Ada King', 'ada lovelace')).toEqual([
    ['ada'],
    ['ada'],
    [],
    [],
  ]);
  expect(readKeys()).toEqual(['USER#ada', 'USER#ada']);
});

test('an address matches a user by e-mail address before one by id', async () => {
  await create('ada@example.com', 'Ada King');
  expect(await resolve('<ada@example.com>')).toEqual([[]]);
  await create('u1', null, 'ada@example.com');
  expect(await resolve('<ada@example.com>')).toEqual([['u1']]);
  expect(await resolve('<ada@example.com>, <eve@example.com>', '')).toEqual([[], []]);
});

test('an address does not match a user with another address, even if their index entries are alike', async () => {
  const address = (end: string) => `${'a'.repeat(60)}@${'b'.repeat(80)}.${end}`;
  await create('ada@example.com', null, 'king@example.com');
  await create('u1', null, address('com'));
  await create('u2', null, address('org'));
  expect(await resolve('<ada@example.com>', address('com'), address('org'))).toEqual([[], ['u1'], ['u2']]);
});

test('at most ten of many users with one e-mail address are returned', async () => {
  for (let n = 10; n < 22; n++) await create(`u${n}`, null, 'team@example.com');
  const [users] = await resolve('team@example.com');
  expect(users).toEqual(Array.from({ length: 10 }, (_, n) => `u${10 + n}`));
});
