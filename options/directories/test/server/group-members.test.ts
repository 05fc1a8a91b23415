import { describe, expect, test } from '@jest/globals';
import { updateConnection } from '#options/connections/server/connections.ts';
import type { ConnectionId } from '#shared/contract/fields.ts';
import { assignRole, revokeRole } from '#shared/domain/role/grant-role.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { setUserStatus } from '#shared/domain/user/users.ts';
import { accessKey } from '#shared/table/keys/access-item-keys.ts';
import { applicationKey } from '#shared/table/keys/application-item-keys.ts';
import { roleKey } from '#shared/table/keys/role-item-keys.ts';
import { operator } from '#test/support/start-service.ts';
import { roleItem } from '#test/support/table-items.ts';
import { readDirectoryUser, removeDirectoryUser } from '../../server/change-directory-user.ts';
import { findDirectoryGroups } from '../../server/directory-groups.ts';
import { removeDirectoryGroup } from '../../server/remove-directory-group.ts';
import { accountKey, groupKey } from '../../table/directory-item-keys.ts';
import { ada, billing, bob, editor, groupRoles, groupsForEachTest, viewer, wiki } from '../support/mapped-groups.ts';
import { codeOf } from '../support/users-of-directories.ts';

const it = groupsForEachTest();
const { create, change, add, remove, membersOf, rolesOf, assign, roleChanges, keysOfDirectory, memory } = it;

describe('the members of a mapped group', () => {
  test('get its roles, by the connection, and lose them when they leave', async () => {
    const id = await create('Editors', [ada]);
    expect(rolesOf(ada)).toEqual(['billing editor', 'wiki viewer']);
    await add(id, bob);
    await remove(id, ada);
    expect([rolesOf(ada), rolesOf(bob)]).toEqual([[], ['billing editor', 'wiki viewer']]);
    expect((await roleChanges()).every((text) => text.endsWith('connection'))).toBe(true);
    await change(id, { members: { set: [ada] } });
    expect([rolesOf(ada), rolesOf(bob)]).toEqual([['billing editor', 'wiki viewer'], []]);
  });

  test('are added and removed twice with the effect of once', async () => {
    const id = await create('Editors');
    await add(id, ada);
    await add(id, ada, ada);
    await remove(id, ada);
    await remove(id, ada);
    expect(await roleChanges()).toHaveLength(4);
    expect(rolesOf(ada)).toEqual([]);
  });

  test('keep a role that another of their groups gives', async () => {
    const [editors, writers] = [await create('Editors', [ada]), await create('Writers', [ada])];
    await remove(editors, ada);
    expect(rolesOf(ada)).toEqual(['billing editor']);
    await remove(writers, ada);
    expect(rolesOf(ada)).toEqual([]);
  });

  test('keep a role that a person gave, before or after the group', async () => {
    const id = await create('Writers');
    await assign(ada, editor);
    await add(id, ada);
    await remove(id, ada);
    expect(rolesOf(ada)).toEqual(['billing editor']);
    await add(id, bob);
    await assign(bob, editor, '2030-01-01T00:00:00.000Z');
    await remove(id, bob);
    expect(rolesOf(bob)).toEqual(['billing editor']);
  });

  test('keep a role that a person gave after the group, although a clock that is ahead defined the role', async () => {
    const ahead = new Date(Date.now() + 5000).toISOString();
    memory.put(roleItem({ appId: billing, role: editor, createdAt: ahead, updatedAt: ahead }));
    const id = await create('Editors', [ada]);
    await revokeRole({ userId: ada, appId: billing, role: editor }, operator);
    await assign(ada, editor);
    await remove(id, ada);
    expect(rolesOf(ada)).toEqual(['billing editor']);
  });

  test('keep the end of a role that a person gave', async () => {
    const id = await create('Writers');
    const expiresAt = '2030-01-01T00:00:00.000Z';
    await assign(ada, editor, expiresAt);
    await add(id, ada);
    const access = memory.table.get(accessKey(ada, billing));
    expect(access?.roles).toMatchObject({ editor: { expiresAt } });
    expect(await roleChanges()).toEqual(['role.assigned editor operator']);
  });

  test('keep a role that a person gives while they leave', async () => {
    const id = await create('Writers', [ada]);
    memory.beforeFirst('TransactWriteItems', async () => {
      await assign(ada, editor, '2030-01-01T00:00:00.000Z');
    });
    await remove(id, ada);
    expect([rolesOf(ada), await membersOf(id)]).toEqual([['billing editor'], []]);
  });

  test('do not get back what a person took, until they join again', async () => {
    const id = await create('Writers', [ada]);
    await revokeRole({ userId: ada, appId: billing, role: editor }, operator);
    await add(id, ada);
    expect(rolesOf(ada)).toEqual([]);
    await remove(id, ada);
    await add(id, ada);
    expect(rolesOf(ada)).toEqual(['billing editor']);
  });

  test('keep their roles while inactive, and lose them when the directory removes them', async () => {
    const id = await create('Editors', [ada]);
    await setUserStatus({ userId: ada, status: 'inactive' }, operator);
    expect(rolesOf(ada)).toEqual(['billing editor', 'wiki viewer']);
    await removeDirectoryUser({ id: ada }, it.context);
    expect([rolesOf(ada), await membersOf(id)]).toEqual([[], []]);
    expect(await codeOf(readDirectoryUser({ id: ada }, it.context))).toBe('user_not_found');
  });

  test('leave a group without roles when the directory removes them', async () => {
    const id = await create('Staff', [ada]);
    await removeDirectoryUser({ id: ada }, it.context);
    expect(await membersOf(id)).toEqual([]);
    expect(await codeOf(readDirectoryUser({ id: ada }, it.context))).toBe('user_not_found');
  });

  test('lose the roles of a group that is deleted or renamed, and get those of its new name', async () => {
    const id = await create('Editors', [ada]);
    await change(id, { displayName: 'Writers' });
    expect(rolesOf(ada)).toEqual(['billing editor']);
    await change(id, { displayName: 'Nobody' });
    expect(rolesOf(ada)).toEqual([]);
    await change(id, { displayName: 'Editors' });
    await removeDirectoryGroup({ id }, it.context);
    expect(rolesOf(ada)).toEqual([]);
  });

  const map = (rows: typeof groupRoles) =>
    updateConnection({ connectionId: it.context.caller.connectionId as ConnectionId, groupRoles: rows }, operator);

  test('get what a new mapping gives with the next change of their group', async () => {
    const id = await create('Editors', [ada, bob]);
    const [, , writers] = groupRoles;
    if (writers === undefined) throw new Error('No row');
    await map([{ group: 'Editors', appId: wiki, role: editor }, writers]);
    await change(id, { displayName: 'Editors' });
    expect([rolesOf(ada), rolesOf(bob)]).toEqual([['wiki editor'], ['wiki editor']]);
  });

  test('are not read again if the mapping gives their group the same', async () => {
    const id = await create('Editors', [ada]);
    await map([...groupRoles.toReversed(), { group: 'Others', appId: wiki, role: editor }]);
    memory.sdk.requests.length = 0;
    await change(id, { displayName: 'Editors' });
    expect(memory.sdk.requests.map(({ command }) => command)).toEqual(['BatchGetItemCommand']);
    await change(id, { displayName: 'Writers' });
    memory.sdk.requests.length = 0;
    await change(id, { displayName: 'Writers' });
    expect(memory.sdk.requests.map(({ command }) => command)).toEqual(['BatchGetItemCommand']);
  });

  test('join and leave in one transaction with the last role, and change nothing else of the user', async () => {
    const id = await create('Writers');
    const staff = await create('Staff');
    const written = async (run: () => Promise<unknown>) => {
      memory.sdk.requests.length = 0;
      await run();
      return memory.sdk.requests.map(({ command }) => command.replace('Command', ''));
    };
    const [read, write] = ['BatchGetItem', 'TransactWriteItems'];
    // The group with its connection; the users; the count; twice the plan; the access; the role with the groups; the plan.
    expect(await written(() => add(id, ada))).toEqual([read, read, write, read, read, read, write, read]);
    // Those who are in it already cause no transaction of their own.
    expect(await written(() => add(id, ada))).toEqual([read, read, write, read]);
    expect(await written(() => add(staff, ada))).toEqual([read, read, write, read, read, write]);
    // Each plan also reads the other group.
    expect(await written(() => remove(id, ada))).toEqual([
      read,
      write,
      read,
      read,
      read,
      read,
      read,
      write,
      read,
      read,
    ]);
    expect((await readDirectoryUser({ id: ada }, it.context)).groups.map((group) => group.id)).toEqual([staff]);
  });

  test('are read only where that is needed', async () => {
    const sent = async (run: () => Promise<unknown>) => {
      memory.sdk.requests.length = 0;
      await run();
      return memory.sdk.requests.map(({ command }) => command.replace('Command', ''));
    };
    const [read, write, query] = ['BatchGetItem', 'TransactWriteItems', 'Query'];
    // The name with the connection, and once more before it is taken.
    expect(await sent(() => create('Crew'))).toEqual([read, read, write]);
    // The users as well, then their groups, and that all have what the group gives.
    expect(await sent(() => create('Staff', [ada, bob]))).toEqual([read, read, read, write, read, write, write]);
    const id = await create('Others', [ada]);
    // The group, and the new name.
    expect(await sent(() => change(id, { displayName: 'Viewers' }))).toEqual([read, read, write]);
    await map([{ group: 'Viewers', appId: wiki, role: viewer }]);
    // The members with this group, the others of one, the same again for each who gets a role, and after it.
    expect(await sent(() => change(id, { displayName: 'Viewers' }))).toEqual([
      read,
      query,
      read,
      read,
      read,
      read,
      read,
      write,
      read,
      read,
      write,
    ]);
  });

  test('are in their groups in one order, however they joined', async () => {
    const ids = [await create('Staff'), await create('Crew'), await create('Others')];
    for (const id of ids.toReversed()) await add(id, ada);
    expect((await readDirectoryUser({ id: ada }, it.context)).groups.map(({ id }) => id)).toEqual(ids.toSorted());
  });

  test('leave a group that is being deleted with whatever changes them next', async () => {
    const id = await create('Editors', [ada]);
    memory.put({ ...memory.table.get(groupKey(it.context.caller.connectionId, id)), deleting: true });
    expect((await readDirectoryUser({ id: ada }, it.context)).groups).toEqual([]);
    const other = await create('Staff', [ada]);
    expect([rolesOf(ada), memory.table.get(accountKey(ada))?.groups]).toEqual([[], [other]]);
    const page = { startIndex: 1, count: 10, withMembers: false };
    for (const [conditions, found] of [
      [{}, [other]],
      [{ id }, []],
      [{ displayName: 'Editors' }, []],
    ] as const) {
      const { total, groups } = await findDirectoryGroups({ ...conditions, ...page }, it.context);
      expect([total, ...groups.map((group) => group.id)]).toEqual([found.length, ...found]);
    }
  });

  test('join a group although one of its roles no longer exists', async () => {
    memory.put(roleItem({ appId: wiki, role: viewer, deleting: true } as object));
    await create('Editors', [ada]);
    expect(rolesOf(ada)).toEqual(['billing editor']);
  });

  test.each(['role', 'application'])('leave a group although the %s that it gave is deleted', async (what) => {
    const id = await create('Editors', [ada]);
    if (what === 'application') {
      memory.table.writeAll([{ kind: 'Delete', input: { Key: { ...applicationKey(billing) } } }]);
    } else {
      memory.table.writeAll([{ kind: 'Delete', input: { Key: { ...roleKey(billing, editor) } } }]);
      await revokeRole({ userId: ada, appId: billing, role: editor }, operator);
    }
    await remove(id, ada);
    const { groups, given } = memory.table.get(accountKey(ada)) ?? {};
    expect([groups, given, await membersOf(id)]).toEqual([[], {}, []]);
  });

  test('keep all roles that persons have given since, and leave the group', async () => {
    const id = await create('Editors', [ada]);
    for (const [appId, role] of [[billing, editor] as const, [wiki, viewer] as const]) {
      await assignRole({ userId: ada, appId, grant: { role, expiresAt: '2030-01-01T00:00:00.000Z' } }, operator);
    }
    await remove(id, ada);
    const { groups, given } = memory.table.get(accountKey(ada)) ?? {};
    expect([rolesOf(ada), groups, given]).toEqual([['billing editor', 'wiki viewer'], [], {}]);
  });

  test('are erased with their user', async () => {
    const id = await create('Editors', [ada, bob]);
    await deleteUser({ userId: ada }, operator);
    expect(await membersOf(id)).toEqual(['bob']);
    expect(keysOfDirectory().filter((key) => key.includes('ada'))).toEqual([]);
  });

  test('are not added by a request that an erasure overtakes', async () => {
    const id = await create('Staff');
    memory.beforeFirst('TransactWriteItems', () => deleteUser({ userId: ada }, operator));
    await add(id, ada);
    expect(await membersOf(id)).toEqual([]);
  });
});
