import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { assignRole } from '#shared/domain/role/grant-role.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { operator } from '#test/support/start-service.ts';
import { createDirectoryGroup } from '../../server/change-directory-group.ts';
import { changeDirectoryUser, removeDirectoryUser } from '../../server/change-directory-user.ts';
import { readDirectoryGroup } from '../../server/directory-groups.ts';
import { removeDirectoryGroup } from '../../server/remove-directory-group.ts';
import { accountKey, groupKey, groupMemberKey } from '../../table/directory-item-keys.ts';
import { ada, billing, bob, editor, groupsForEachTest, viewer, wiki } from '../support/mapped-groups.ts';
import { codeOf } from '../support/users-of-directories.ts';

const it = groupsForEachTest();
const { create, change, add, remove, membersOf, rolesOf, assign, roleChanges, keysOfDirectory, memory } = it;

describe('a member whom another request changes at the same time', () => {
  /** Before the access is read, so after the groups of the user were. */
  const meanwhile = (act: () => unknown) => memory.beforeFirst('ACCESS#billing', act);

  test('joins once', async () => {
    const id = await create('Writers');
    meanwhile(() => add(id, ada));
    await add(id, ada);
    expect([rolesOf(ada), await membersOf(id)]).toEqual([['billing editor'], ['ada']]);
    expect(await roleChanges()).toHaveLength(1);
  });

  test('leaves once', async () => {
    const id = await create('Writers', [ada]);
    meanwhile(() => remove(id, ada));
    await remove(id, ada);
    expect([rolesOf(ada), await membersOf(id)]).toEqual([[], []]);
    expect(await roleChanges()).toHaveLength(2);
  });

  test.each([
    ['joins', 'removes', () => removeDirectoryUser({ id: ada }, it.context)],
    ['joins', 'erases', () => deleteUser({ userId: ada }, operator)],
    ['leaves', 'removes', () => removeDirectoryUser({ id: ada }, it.context)],
    ['leaves', 'erases', () => deleteUser({ userId: ada }, operator)],
  ])('%s with no role when the other request %s the user', async (what, _, act) => {
    const id = await create('Writers', what === 'leaves' ? [ada] : []);
    meanwhile(act);
    await (what === 'joins' ? add(id, ada) : remove(id, ada));
    expect([rolesOf(ada), await membersOf(id)]).toEqual([[], []]);
  });

  test('of whom one role is the group’s no longer keeps it, and loses the other', async () => {
    const id = await create('Editors', [ada]);
    meanwhile(async () => {
      await assign(ada, editor, '2030-01-01T00:00:00.000Z');
      const { given, version, ...account } = memory.table.get(accountKey(ada)) ?? {};
      const { 'billing editor': __, ...others } = given as Record<string, string>;
      memory.put({ ...account, given: others, version: Number(version) + 1 });
    });
    await remove(id, ada);
    expect([rolesOf(ada), await membersOf(id)]).toEqual([['billing editor'], []]);
  });

  test('joins a group without roles although the first attempt met a conflict', async () => {
    const id = await create('Staff');
    memory.beforeFirst('TransactWriteItems', () =>
      changeDirectoryUser({ id: ada }, (current) => ({ ...current, attributes: { title: 'Countess' } }), it.context),
    );
    await add(id, ada);
    expect(await membersOf(id)).toEqual(['ada']);
  });

  test('who never stops changing is given up with 503', async () => {
    const id = await create('Editors', [ada]);
    for (const [appId, role] of [[billing, editor] as const, [wiki, viewer] as const]) {
      await assignRole({ userId: ada, appId, grant: { role, expiresAt: '2030-01-01T00:00:00.000Z' } }, operator);
    }
    memory.before = ({ command }) => {
      const account = memory.table.get(accountKey(ada));
      if (command === 'TransactWriteItemsCommand') memory.put({ ...account, version: Number(account?.version) + 1 });
    };
    expect(await codeOf(remove(id, ada))).toBe('unavailable');
  });

  test('takes the name of a group that is deleted meanwhile', async () => {
    const id = await create('Staff');
    memory.beforeFirst(`GROUP#${id}`, () => removeDirectoryGroup({ id }, it.context));
    const next = await create('Staff', [ada]);
    expect([next === id, await membersOf(next)]).toEqual([false, ['ada']]);
  });
});

describe('what stops in the middle', () => {
  const outage = Object.assign(new Error('gone'), { name: 'ServiceUnavailable', $metadata: { httpStatusCode: 503 } });

  test('says so, and takes the role with a repetition', async () => {
    const id = await create('Writers', [ada]);
    memory.before = ({ input }) => {
      if (JSON.stringify(input).includes('ACCESS#billing')) throw outage;
    };
    expect(await codeOf(remove(id, ada))).toBe('unavailable');
    memory.before = undefined;
    expect(rolesOf(ada)).toEqual(['billing editor']);
    await remove(id, ada);
    expect([rolesOf(ada), await membersOf(id)]).toEqual([[], []]);
  });

  test('of a creation is only completed as the same group, and not after a change', async () => {
    const writer = (externalId: string | null) =>
      createDirectoryGroup({ displayName: 'Writers', externalId, members: [ada] }, it.context);
    failAfter(1);
    expect(await codeOf(writer(null))).toBe('unavailable');
    memory.before = undefined;
    expect(await codeOf(writer('other'))).toBe('already_exists');
    const [id = ''] = memory.table
      .items()
      .flatMap(({ groupId, sk }) => (sk === `GROUP#${groupId}` ? [`${groupId}`] : []));
    failAfter(1);
    expect(await codeOf(change(id, { externalId: 'other' }))).toBe('unavailable');
    memory.before = undefined;
    expect(await codeOf(writer('other'))).toBe('already_exists');
  });

  test('of a deletion keeps its version for the repetition, and what is left of a user who is gone is deleted too', async () => {
    const { connectionId } = it.context.caller;
    const id = await create('Editors', [ada]);
    memory.put({ ...groupMemberKey(connectionId, id, 'gone' as UserId), userId: 'gone' });
    failAfter(1);
    expect(await codeOf(removeDirectoryGroup({ id, ifMatch: [1] }, it.context))).toBe('unavailable');
    memory.before = undefined;
    expect(memory.table.get(groupKey(connectionId, id))).toMatchObject({ deleting: true, version: 2 });
    await removeDirectoryGroup({ id, ifMatch: [1] }, it.context);
    expect(keysOfDirectory().filter((key) => key.includes('GROUP') || key.includes('gone'))).toEqual([]);
  });

  /** Every request after so many transactions fails. */
  const failAfter = (transactions: number) => {
    let sent = 0;
    memory.before = ({ command }) => {
      if (command === 'TransactWriteItemsCommand') sent += 1;
      if (sent > transactions)
        throw Object.assign(new Error('gone'), { name: 'ServiceUnavailable', $metadata: { httpStatusCode: 503 } });
    };
  };

  test.each([0, 1, 2, 3, 4])('after %d transactions is completed by a repetition', async (transactions) => {
    const id = await create('Editors', [ada]);
    failAfter(transactions);
    await codeOf(change(id, { members: { set: [bob] } }));
    memory.before = undefined;
    await change(id, { members: { set: [bob] } });
    expect([rolesOf(ada), rolesOf(bob), await membersOf(id)]).toEqual([[], ['billing editor', 'wiki viewer'], ['bob']]);
  });

  test('of a deletion is gone at once, and completed by a repetition', async () => {
    const id = await create('Editors', [ada]);
    failAfter(1);
    await codeOf(removeDirectoryGroup({ id }, it.context));
    memory.before = undefined;
    expect(await codeOf(readDirectoryGroup({ id, withMembers: true }, it.context))).toBe('route_not_found');
    expect(await codeOf(add(id, bob))).toBe('route_not_found');
    await removeDirectoryGroup({ id }, it.context);
    expect([rolesOf(ada), rolesOf(bob)]).toEqual([[], []]);
  });

  test('of a deletion is not answered as complete while another request writes the group', async () => {
    const id = await create('Editors');
    const stored = () => memory.table.items().filter(({ sk }) => sk === `GROUP#${id}`);
    let conflicts = 0;
    memory.before = ({ command, input }) => {
      const isDeletion = command === 'TransactWriteItemsCommand' && JSON.stringify(input).includes('"Delete":{');
      if (!isDeletion || stored()[0]?.deleting !== true || ++conflicts > 1) return;
      const CancellationReasons = [{ Code: 'TransactionConflict' }];
      throw new TransactionCanceledException({ message: 'conflict', $metadata: {}, CancellationReasons });
    };
    await removeDirectoryGroup({ id }, it.context);
    memory.before = undefined;
    expect([conflicts, stored()]).toEqual([2, []]);
  });

  test.each([1, 2, 3, 4])('of a creation after %d transactions too', async (transactions) => {
    failAfter(transactions);
    await codeOf(create('Editors', [ada, bob]));
    memory.before = undefined;
    const id = await create('Editors', [ada, bob]);
    expect([rolesOf(ada), rolesOf(bob), await membersOf(id)]).toEqual([
      ['billing editor', 'wiki viewer'],
      ['billing editor', 'wiki viewer'],
      ['ada', 'bob'],
    ]);
    expect(await codeOf(create('Editors'))).toBe('already_exists');
  });
});
