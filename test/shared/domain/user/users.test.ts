import { expect, jest, test } from '@jest/globals';
import type { BulkId, UserId } from '#shared/contract/fields.ts';
import { createUlid } from '#shared/core/ids.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import {
  createUser,
  getUser,
  listUsers,
  setUserStatus,
  setUserStatusInBulk,
  updateUser,
} from '#shared/domain/user/users.ts';
import { anOperator, operatorContext as context, operatorAttempt } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { userEntryItem } from '../../../support/table-items.ts';

const userId = 'ada' as UserId;
const create = (id: UserId = userId, by = context) =>
  createUser({ userId: id, displayName: 'Ada', email: 'ada@example.com' }, by);
const setStatus = (status: 'active' | 'inactive', also: { undoOf?: string; reason?: string } = {}) =>
  setUserStatus({ userId, status, reason: null, ...also }, context);

const memory = tableForEachTest(new Date('2026-11-20T19:00:00.000Z'));
const item = () => memory.table.get({ pk: 'USER#ada', sk: 'USER' });
const changes = (action: string) =>
  memory.table.items().filter((found) => found.action === action && /^CHANGE#/.test(String(found.sk)));

test('an operator sees who set the status, even after the user was renamed', async () => {
  await create();
  expect((await getUser({ userId })).statusSetBy).toBeNull();
  const { changeId } = await setStatus('inactive', { reason: 'leaves' });
  const setBy = {
    changeId,
    at: '2026-11-20T19:00:00.001Z',
    caller: anOperator,
    reason: 'leaves',
    ticket: null,
    bulkId: null,
  };
  expect((await getUser({ userId })).statusSetBy).toEqual(setBy);
  await updateUser({ userId, displayName: 'Ada King' }, context);
  expect(await getUser({ userId })).toMatchObject({ displayName: 'Ada King', statusSetBy: setBy });
});

test('the record of a status change names the change that it undoes, if any', async () => {
  await create();
  const { changeId } = await setStatus('inactive');
  await setStatus('active', { undoOf: changeId ?? '' });
  const [first, second] = changes('user.status.changed');
  expect(first).not.toHaveProperty('undoOf');
  expect(second).toMatchObject({ undoOf: changeId });
});

test('a bulk sets the status of each user separately, with the reason and the bulk id', async () => {
  await create();
  const bulkId = createUlid(new Date()) as BulkId;
  const bulk = { userIds: ['ada', 'nobody'], bulkId, status: 'inactive', reason: 'left' } as const;
  expect(await setUserStatusInBulk(bulk, context)).toEqual([
    { userId: 'ada', outcome: 'changed' },
    { userId: 'nobody', outcome: 'failed', problem: expect.objectContaining({ code: 'user_not_found' }) },
  ]);
  expect(item()).toMatchObject({ status: 'inactive' });
  expect(changes('user.status.changed')).toEqual([expect.objectContaining({ reason: 'left', bulkId })]);
});

test('a list omits users who are being erased', async () => {
  await create();
  memory.put({ ...item(), deleting: true, pk: 'USER#bob', userId: 'bob' }, userEntryItem('bob'));
  for (const status of [undefined, 'active'] as const) {
    const { items } = await listUsers({ prefix: '', status, limit: 10 });
    expect(items.map((user) => user.userId)).toEqual(['ada']);
  }
});

test('a creation concerns every application only if a user with the id was erased before', async () => {
  const pending = () =>
    memory.table
      .items()
      .flatMap(({ pk, action, userId: of }) => (pk === 'FEED#USERS' && action === 'user.created' ? [of] : []));
  await create();
  await deleteUser({ userId }, context);
  jest.setSystemTime(new Date('2026-11-20T20:00:00.000Z'));
  await create();
  expect(changes('user.created').map(({ gsi1pk }) => gsi1pk)).toEqual(['USERS#CHANGES']);
  expect(pending()).toEqual(['ada']);
  await create('bob' as UserId);
  expect(changes('user.created').find((item) => item.userId === 'bob')).not.toHaveProperty('gsi1pk');
  expect(pending()).toEqual(['ada']);
});

test('a retry gets the same response, with the current name, and without a name after the erasure', async () => {
  await create();
  const rename = (requestId: string) => updateUser({ userId, email: null }, operatorAttempt(requestId, 'call'));
  const answer = await rename('first');
  expect(answer).toMatchObject({ userId, displayName: 'Ada', email: null, version: 2, changed: true });
  expect(await rename('second')).toEqual(answer);
  await updateUser({ userId, displayName: 'Ada King' }, context);
  expect(await rename('third')).toEqual({ ...answer, displayName: 'Ada King' });
  await deleteUser({ userId }, context);
  jest.setSystemTime(new Date('2026-11-20T19:10:00.000Z'));
  expect(await rename('fourth')).toEqual({ ...answer, displayName: null });
});
