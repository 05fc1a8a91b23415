import { beforeEach, expect, jest, test } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { createUser, setUserStatus } from '#shared/domain/user/users.ts';
import { operatorContext as context } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { isChange, tornWrites } from '#test/support/torn-writes.ts';

const userId = 'ada' as UserId;
const userKey = { pk: `USER#${userId}`, sk: 'USER' };
const markKey = { pk: 'USERS#INACTIVE', sk: userId };

const memory = tableForEachTest();
const { tear, repair, changes } = tornWrites(memory);
const create = (displayName: string) => createUser({ userId, displayName, email: null }, context);

beforeEach(async () => {
  await create('Ada King');
});

test('the erasure of an inactive user, of which only the change came, takes the mark away in the same transaction', async () => {
  await setUserStatus({ userId, status: 'inactive', reason: null }, context);
  jest.setSystemTime(new Date('2026-11-20T19:00:10.000Z'));
  await tear(
    () => deleteUser({ userId }, context),
    (item) => isChange(item) && item.action === 'user.deleted',
  );
  expect(memory.table.get(markKey)).toBeDefined();
  let withoutMark: boolean | undefined;
  memory.before = () => {
    if (memory.table.get(userKey)?.deleting === true) withoutMark ??= memory.table.get(markKey) === undefined;
  };
  const found = await repair();
  expect(withoutMark).toBe(true);
  expect(found).not.toContain('inactive-mark');
  expect(memory.table.get(userKey)).toMatchObject({ erased: true });
  expect(memory.table.get(markKey)).toBeUndefined();
});

test('an erasure does not erase the user who was created after it, and whose change was lost', async () => {
  await Promise.all([deleteUser({ userId }, context), jest.runAllTimersAsync()]);
  jest.setSystemTime(new Date('2026-11-23T19:00:00.000Z'));
  await tear(
    () => create('Ada Lovelace'),
    (item) => !isChange(item),
  );
  expect(changes('user.deleted')).toHaveLength(1);
  expect(await repair()).toContain('change-missing');
  expect(memory.table.get(userKey)).toMatchObject({ displayName: 'Ada Lovelace' });
  expect(memory.table.get(userKey)).not.toHaveProperty('deleting');
  expect(changes('user.created')).toMatchObject([{ after: { displayName: 'Ada Lovelace' } }]);
  expect((await repair()).filter((kind) => kind !== 'history-gap')).toEqual([]);
});
