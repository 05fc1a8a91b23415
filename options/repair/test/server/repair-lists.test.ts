import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { assignRole } from '#shared/domain/role/grant-role.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { createUser, updateUser } from '#shared/domain/user/users.ts';
import { operatorContext as context } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { tornWrites } from '#test/support/torn-writes.ts';

const [appId, userId, role] = ['billing' as AppId, 'ada' as UserId, 'admin' as RoleName];
const userKey = { pk: `USER#${userId}`, sk: 'USER' };
const memberKey = { pk: `APP#${appId}#ROLE#${role}`, sk: `USER#${userId}` };

const memory = tableForEachTest();
const { repair, items } = tornWrites(memory);
const words = () => items().filter(({ pk }) => pk.startsWith('FIND#'));

beforeEach(async () => {
  await createUser({ userId, displayName: 'Ada King', email: null }, context);
});

describe('the words of a user', () => {
  test('of an earlier name that no change has any more are removed, because an entry that is left names them', async () => {
    const before = words();
    const entry = before.find(({ sk }) => sk.startsWith('king'));
    const text = `${entry?.words} lovelace`;
    memory.put({ ...entry, words: text }, { ...entry, pk: 'FIND#lo', sk: `lovelace#${userId}`, words: text });
    expect(words().length).toBe(before.length + 1);
    expect(await repair()).toEqual(['search-words']);
    expect(words()).toEqual(before);
  });

  test('stay until the end of a deletion, and are nothing to repair', async () => {
    // Found by the id alone, which is all that a repair then knows.
    await updateUser({ userId, displayName: null }, context);
    let transactions = 0;
    memory.before = ({ command }) => {
      if (command === 'TransactWriteItemsCommand' && ++transactions > 1) throw new Error('cut off');
    };
    await expect(deleteUser({ userId }, context)).rejects.toThrow('cut off');
    memory.before = undefined;
    expect(memory.table.get(userKey)).toMatchObject({ deleting: true });
    expect(words().length).toBeGreaterThan(0);
    expect(await repair()).toEqual(['erased-data', 'deletion']);
    expect(words()).toEqual([]);
  });
});

test.each([
  ['end', { expiresAt: null }],
  ['time', { grantedAt: '2026-11-19T19:00:00.000Z' }],
])('a member with another %s than the grant gets that of the grant', async (_, other) => {
  await createApplication({ appId, name: 'Billing' }, context);
  await defineRole({ appId, role, description: null }, context);
  const expiresAt = '2026-12-01T00:00:00.000Z';
  await assignRole({ userId, appId, grant: { role, expiresAt } }, context);
  const member = memory.table.get(memberKey);
  memory.put({ ...member, ...memberKey, ...other });
  expect(await repair()).toEqual(['member']);
  expect(memory.table.get(memberKey)).toMatchObject(member ?? {});
  expect(await repair()).toEqual([]);
});
