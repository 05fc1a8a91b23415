import { expect, test } from '@jest/globals';
import type { Change } from '#shared/contract/change.ts';
import type { ResolvedName } from '#shared/contract/user.ts';
import { createNameFinder, namesIn } from '#shared/csv/known-names.ts';

const named = (userId: string, displayName: string | null) =>
  ({ userId, displayName, email: null, status: 'active' }) as const;
const changeOf = (userId: string | undefined) => ({ ...(userId !== undefined && { userId }) }) as Change;

const inBilling = { appId: 'billing' } as never;

test('asks for each user once, a hundred at a time, and once for all pages of the applications', async () => {
  const asked: (readonly string[])[] = [];
  const cursors: (string | undefined)[] = [];
  const find = createNameFinder({
    resolveUsers: async (userIds) => {
      asked.push(userIds);
      return userIds.map((name) => ({ name, users: [named(name, `The ${name}`)] }));
    },
    listApplications: async (cursor) => {
      cursors.push(cursor);
      const [appId, next] = cursor === undefined ? ['billing', 'a'] : ['wiki', null];
      return { items: [{ appId, name: appId.toUpperCase() } as never], cursor: next };
    },
  });
  const many = Array.from({ length: 150 }, (_, n) => `u${n}`);
  const first = await find([inBilling, ...many.map(changeOf), changeOf('u7')]);
  expect(asked.map(({ length }) => length)).toEqual([100, 50]);
  expect([first.users.size, first.users.get('u149')]).toEqual([150, 'The u149']);
  expect([...first.applications]).toEqual([
    ['billing', 'BILLING'],
    ['wiki', 'WIKI'],
  ]);
  const second = await find([changeOf('u7'), changeOf('new')]);
  expect(asked.slice(2)).toEqual([['new']]);
  expect([second.users.get('u7'), second.users.get('new')]).toEqual(['The u7', 'The new']);
  expect(cursors).toEqual([undefined, 'a']);
});

test('does not ask for applications without a change in one', async () => {
  const find = createNameFinder({
    resolveUsers: async () => [],
    listApplications: () => Promise.reject(new Error('Nothing to ask')),
  });
  expect([...(await find([changeOf('u7')])).applications]).toEqual([]);
});

test('a user without a name has none, and neither has a user with another id', () => {
  const resolved: ResolvedName[] = [
    { name: 'ada', users: [named('ada', 'Ada')] },
    { name: 'grace', users: [named('grace', null)] },
    { name: 'alan@example.org', users: [named('alan', 'Alan')] },
    { name: 'gone', users: [] },
  ];
  expect([...namesIn(resolved)]).toEqual([['ada', 'Ada']]);
});
