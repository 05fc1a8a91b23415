import { beforeEach, expect, jest, test } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { createUser, setUserStatus } from '#shared/domain/user/users.ts';
import { operatorContext as context } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { inactiveMarkItem } from '#test/support/table-items.ts';
import { repairUserLists } from '../../server/repair-lists.ts';
import { RepairRun } from '../../server/repair-run.ts';
import { readUserFacts } from '../../server/user-partition.ts';

const [ada, bob] = ['ada' as UserId, 'bob' as UserId];

const memory = tableForEachTest();
const userKey = (userId: string) => ({ pk: `USER#${userId}`, sk: 'USER' });
const markOf = (userId: string) => memory.table.get({ pk: 'USERS#INACTIVE', sk: userId });
const alter = (userId: string, change: object) => memory.put({ ...memory.table.get(userKey(userId)), ...change });

beforeEach(async () => {
  for (const userId of [ada, bob]) await createUser({ userId, displayName: null, email: null }, context);
});

/** Repairs the lists of all users; returns those whose mark was wrong. */
async function repairMarks() {
  const run = new RepairRun(context);
  for (const userId of [ada, bob]) {
    await run.untilWhole(async () => repairUserLists(await readUserFacts(userId, run), run));
  }
  return run.findings.flatMap(({ kind, userId }) => (kind === 'inactive-mark' ? [userId] : []));
}

test('an inactive user whose mark was lost gets one with the change of the status, once, and keeps the version', async () => {
  alter('ada', { status: 'inactive', statusChangeId: 'B' });
  const before = memory.table.get(userKey('ada'));
  expect(await repairMarks()).toEqual(['ada']);
  expect(markOf('ada')).toEqual(inactiveMarkItem('ada', 'B'));
  expect(memory.table.get(userKey('ada'))).toEqual(before);
  expect(await repairMarks()).toEqual([]);
});

test('a leftover mark of an active user is removed', async () => {
  memory.put(inactiveMarkItem('ada', 'A'));
  expect(await repairMarks()).toEqual(['ada']);
  expect(markOf('ada')).toBeUndefined();
});

test.each<[string, () => Promise<unknown>]>([
  ['activated', () => setUserStatus({ userId: ada, status: 'active', reason: null }, context)],
  ['erased', () => deleteUser({ userId: ada }, context)],
])('a user without a mark who is %s in the meantime gets none', async (_, meanwhile) => {
  alter('ada', { status: 'inactive' });
  memory.beforeFirst('TransactWriteItemsCommand', meanwhile);
  const repaired = repairMarks();
  await jest.runAllTimersAsync();
  await repaired;
  expect(memory.before).toBeUndefined();
  expect(markOf('ada')).toBeUndefined();
});
