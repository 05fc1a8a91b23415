import { beforeEach, expect, test } from '@jest/globals';
import { createBulkId } from '#shared/contract/bulk-calls.ts';
import type { BulkId, UserId } from '#shared/contract/fields.ts';
import { undoChange } from '#shared/domain/history/undo-change.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { createUser, listUsers, setUserStatus, setUserStatusInBulk, updateUser } from '#shared/domain/user/users.ts';
import { operatorContext as context } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { inactiveMarkItem } from '../../../support/table-items.ts';

const [ada, bob] = ['ada' as UserId, 'bob' as UserId];

const memory = tableForEachTest();
const create = (userId: UserId) => createUser({ userId, displayName: null, email: null }, context);
const setStatus = (userId: UserId, status: 'active' | 'inactive') =>
  setUserStatus({ userId, status, reason: null }, context);
const userKey = (userId: string) => ({ pk: `USER#${userId}`, sk: 'USER' });
const markKey = (userId: string) => ({ pk: 'USERS#INACTIVE', sk: userId });
const markOf = (userId: string) => memory.table.get(markKey(userId));
const alter = (userId: string, change: object) => memory.put({ ...memory.table.get(userKey(userId)), ...change });

beforeEach(async () => {
  for (const userId of [ada, bob]) await create(userId);
  memory.sdk.requests.length = 0;
});

test('a user gets the mark in the deactivating transaction, and loses it in the activating one', async () => {
  const { changeId } = await setStatus(ada, 'inactive');
  expect(markOf('ada')).toEqual(inactiveMarkItem('ada', changeId));
  await updateUser({ userId: ada, displayName: 'Ada' }, context);
  expect(markOf('ada')).toEqual(inactiveMarkItem('ada', changeId));
  await setStatus(ada, 'active');
  expect(markOf('ada')).toBeUndefined();
  expect(memory.sdk.requests.filter(({ command }) => command === 'TransactWriteItemsCommand')).toHaveLength(3);
});

test.each([
  ['of one request', () => undefined],
  ['of several', () => createBulkId(Date.now(), new Uint8Array(16)) as BulkId],
])('each user deactivated in a bulk %s also has the mark', async (_, drawBulkId) => {
  await setUserStatusInBulk({ userIds: [ada, bob], bulkId: drawBulkId(), status: 'inactive', reason: null }, context);
  expect([markOf('ada'), markOf('bob')]).toMatchObject([{ userId: 'ada' }, { userId: 'bob' }]);
});

test('a user deactivated again by an undo also has the mark', async () => {
  await setStatus(ada, 'inactive');
  const { changeId } = await setStatus(ada, 'active');
  const undone = await undoChange(
    { userId: ada, changeId: changeId ?? '', heldRoles: [{ role: 'admin', appId: null }] },
    context,
  );
  expect(markOf('ada')).toEqual(inactiveMarkItem('ada', undone.changeId));
});

test('the mark is deleted when the erasure of a user starts, and a later user with the id has none', async () => {
  await setStatus(ada, 'inactive');
  const seen: boolean[] = [];
  memory.before = ({ command }) => {
    if (command === 'TransactWriteItemsCommand') seen.push(markOf('ada') !== undefined);
  };
  await deleteUser({ userId: ada }, context);
  expect(seen.slice(0, 2)).toEqual([true, false]);
  await create(ada);
  expect(markOf('ada')).toBeUndefined();
});

test('inactive users are found among very many with one query, in pages by id and by id prefix', async () => {
  const user = memory.table.get(userKey('ada'));
  for (let n = 0; n < 3000; n++) {
    const userId = `user-${10_000 + n}`;
    memory.put({ ...user, ...userKey(userId), userId });
  }
  for (const userId of ['user-10007', 'user-12999', 'ada']) await setStatus(userId as UserId, 'inactive');
  memory.sdk.requests.length = 0;
  const first = await listUsers({ prefix: '', status: 'inactive', limit: 2 });
  expect(first.items.map(({ userId }) => userId)).toEqual(['ada', 'user-10007']);
  const second = await listUsers({ prefix: '', status: 'inactive', limit: 2, cursor: first.cursor ?? '' });
  expect(second).toMatchObject({ items: [{ userId: 'user-12999', status: 'inactive' }], cursor: null });
  expect(memory.sdk.requests.filter(({ command }) => command === 'QueryCommand')).toHaveLength(2);
  const filtered = await listUsers({ prefix: 'user-12', status: 'inactive', limit: 2 });
  expect(filtered.items.map(({ userId }) => userId)).toEqual(['user-12999']);
});

test('a reactivated or erased user is not listed by a mark that was read before', async () => {
  for (const userId of ['ada', 'bob', 'erased']) memory.put(inactiveMarkItem(userId, 'A'));
  alter('bob', { status: 'inactive' });
  const { items } = await listUsers({ prefix: '', status: 'inactive', limit: 10 });
  expect(items.map(({ userId }) => userId)).toEqual(['bob']);
});
