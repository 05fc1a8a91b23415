import { beforeEach, expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { type EffectiveAccessRequest, listEffectiveAccess } from '#shared/domain/access/list-effective-access.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import {
  accessItem,
  applicationItem,
  inactiveMarkItem,
  userEntryItem,
  userItem,
} from '../../../support/table-items.ts';

const appId = 'billing' as AppId;
const past = '2026-02-01T00:00:00.000Z';

const memory = tableForEachTest();
const putUser = (userId: string, status: 'active' | 'inactive' = 'active') =>
  memory.put(userItem({ userId, status }), userEntryItem(userId));

beforeEach(() => {
  memory.put(applicationItem());
  for (const userId of ['ada', 'bob', 'cleo', 'dan']) putUser(userId);
  for (const userId of ['eve', 'fay']) {
    putUser(userId, 'inactive');
    memory.put(inactiveMarkItem(userId));
  }
  memory.put(
    accessItem({ userId: 'ada', status: 'disabled' }),
    accessItem({ userId: 'bob', status: 'enabled' }),
    accessItem({ userId: 'cleo', status: 'disabled', until: past }),
    accessItem({ userId: 'eve', status: 'disabled' }),
    accessItem({ userId: 'dan', roles: { editor: { grantedAt: past, expiresAt: null } } }),
    accessItem({ userId: 'gone', status: 'disabled' }),
  );
});

const list = (request: Partial<EffectiveAccessRequest>) => listEffectiveAccess({ appId, limit: 100, ...request });
/** Returns the users of all pages, page by page. */
const pagesOf = async (request: Partial<EffectiveAccessRequest>) => {
  const pages: string[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && pages.length < 50) {
    const page = await list({ ...request, cursor });
    pages.push(page.items.map(({ userId }) => userId).join(' '));
    cursor = page.cursor;
  }
  return pages;
};

test.each<[string, Partial<EffectiveAccessRequest>, string]>([
  ['everybody', {}, 'ada bob cleo dan eve fay'],
  ['the enabled users', { effectiveStatus: 'enabled' }, 'bob cleo dan'],
  ['the disabled users, by their own status first', { effectiveStatus: 'disabled' }, 'ada eve fay'],
  ['users whose own status decides', { decidedBy: 'explicit' }, 'ada bob'],
  ['users enabled by their own status', { decidedBy: 'explicit', effectiveStatus: 'enabled' }, 'bob'],
  ['users disabled by their own status', { decidedBy: 'explicit', effectiveStatus: 'disabled' }, 'ada'],
  ['users whose block has expired', { decidedBy: 'lapsed' }, 'cleo'],
  ['inactive users, whatever their own status', { decidedBy: 'user' }, 'eve fay'],
  ['no one as inactive and enabled', { decidedBy: 'user', effectiveStatus: 'enabled' }, ''],
  ['users without a setting', { decidedBy: 'default' }, 'dan'],
])('a list shows %s', async (_, request, expected) => {
  expect(await pagesOf(request)).toEqual([expected]);
});

test('a list shows which users a rollout enables or disables, which requires reading all users', async () => {
  memory.put(applicationItem({ rolloutPercent: 0 }));
  expect(await pagesOf({ decidedBy: 'rollout' })).toEqual(['dan']);
  expect(await pagesOf({ effectiveStatus: 'disabled' })).toEqual(['ada dan eve fay']);
  expect(await pagesOf({ effectiveStatus: 'enabled' })).toEqual(['bob cleo']);
});

test('a reactivated or erased user is not listed by a mark that was read before', async () => {
  for (const userId of ['ada', 'bob', 'erased']) memory.put(inactiveMarkItem(userId));
  expect(await pagesOf({ decidedBy: 'user' })).toEqual(['eve fay']);
  expect(await pagesOf({ effectiveStatus: 'disabled' })).toEqual(['ada eve fay']);
});

test('inactive users among very many others fill the pages', async () => {
  for (let n = 0; n < 3000; n++) putUser(`aa-${10_000 + n}`);
  memory.sdk.requests.length = 0;
  expect((await list({ decidedBy: 'user', limit: 2 })).items.map(({ userId }) => userId)).toEqual(['eve', 'fay']);
  expect(memory.sdk.requests.filter(({ command }) => command === 'QueryCommand')).toHaveLength(1);
});

test('disabled users are searched among few users, unless a rollout decides', async () => {
  await pagesOf({ effectiveStatus: 'disabled' });
  const queried = memory.sdk.requests.filter(({ command }) => command === 'QueryCommand').map(({ input }) => input);
  expect(queried.map(({ FilterExpression: filter }) => filter)).toEqual(['#where = :where', undefined]);
  memory.sdk.requests.length = 0;
  await pagesOf({ effectiveStatus: 'enabled' });
  expect(memory.sdk.requests.filter(({ command }) => command === 'QueryCommand')).toHaveLength(1);
});

test.each(['explicit', 'lapsed'] as const)(
  'users for whom their own status decides (%s) are searched only among those with an access',
  async (decidedBy) => {
    await pagesOf({ decidedBy });
    const queried = memory.sdk.requests.filter(({ command }) => command === 'QueryCommand');
    const lists = queried.map(({ input }) => input.ExpressionAttributeValues[':pk'].S);
    expect(lists).toEqual(['APP#billing#USERS']);
  },
);

test.each<[string, Partial<EffectiveAccessRequest>, string[]]>([
  ['everybody', { limit: 4 }, ['ada bob cleo dan', 'eve fay']],
  ['all users, who fill it', { limit: 6 }, ['ada bob cleo dan eve fay']],
  [
    'the disabled users, from one part of the list to the next',
    { limit: 2, effectiveStatus: 'disabled' },
    ['ada eve', 'fay'],
  ],
  ['the disabled users, one by one', { limit: 1, effectiveStatus: 'disabled' }, ['ada', 'eve', 'fay']],
])('pages of %s have no gaps', async (_, request, expected) => {
  const pages = await pagesOf(request);
  expect(pages.filter((page) => page !== '')).toEqual(expected);
});

test('one page reads at most 500 users, and may be empty with more to follow', async () => {
  for (let n = 0; n < 620; n++) putUser(`user-${1000 + n}`);
  memory.put(accessItem({ userId: 'user-1600', status: 'disabled' }));
  const pages = await pagesOf({ decidedBy: 'default', effectiveStatus: 'disabled' });
  expect(pages).toEqual(['', '']);
  const all = await pagesOf({ limit: 100, effectiveStatus: 'enabled' });
  expect(all.map((page) => page.split(' ').length)).toEqual([100, 100, 100, 100, 100, 100, 22]);
});

test('refuses the cursor of another filter, and a text that is not a cursor', async () => {
  const { cursor } = await list({ limit: 2 });
  const foreign = expect.objectContaining({ code: 'invalid_request' });
  await expect(list({ limit: 2, cursor: cursor ?? '', effectiveStatus: 'enabled' })).rejects.toEqual(foreign);
  await expect(list({ cursor: cursor ?? '', decidedBy: 'user' })).rejects.toEqual(foreign);
  for (const damaged of ['none.x', '']) await expect(list({ cursor: damaged })).rejects.toEqual(foreign);
});

test('an unknown application has no list', async () => {
  await expect(list({ appId: 'none' as AppId })).rejects.toMatchObject({ code: 'application_not_found' });
});
