import { describe, expect, test } from '@jest/globals';
import { deleteConnection } from '#options/connections/server/delete-connection.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { listAllChanges } from '#shared/domain/history/list-all-changes.ts';
import { undoChange } from '#shared/domain/history/undo-change.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { deleteRole } from '#shared/domain/role/delete-role.ts';
import { revokeRole } from '#shared/domain/role/grant-role.ts';
import { checkChains } from '#shared/integrity/check-chains.ts';
import { compareState, type StoredItem } from '#shared/integrity/compare-state.ts';
import { foldChanges } from '#shared/integrity/fold-changes.ts';
import { accessKey } from '#shared/table/keys/access-item-keys.ts';
import { operator } from '#test/support/start-service.ts';
import { createDirectoryGroup } from '../../server/change-directory-group.ts';
import { removeDirectoryUser } from '../../server/change-directory-user.ts';
import { provisionUser } from '../../server/provision-user.ts';
import { removeDirectoryGroup } from '../../server/remove-directory-group.ts';
import { accountKey } from '../../table/directory-item-keys.ts';
import { ada, billing, bob, editor, groupRoles, groupsForEachTest, wiki } from '../support/mapped-groups.ts';
import { aDirectoryUser, newDirectory } from '../support/new-directory.ts';
import { codeOf } from '../support/users-of-directories.ts';

const it = groupsForEachTest();
const { create, change, add, remove, rolesOf, assign, memory } = it;

const revoke = async (userId: UserId, role: RoleName = editor) =>
  String((await revokeRole({ userId, appId: billing, role }, operator)).changeId);
const undo = (userId: UserId, changeId: string) =>
  undoChange({ userId, changeId, heldRoles: [{ role: 'admin', appId: null }] as never }, operator);
const latestChange = async () => (await listAllChanges({ limit: 1 })).items[0]?.id ?? '';
const grantOf = (userId: UserId) => {
  const { roles } = memory.table.get(accessKey(userId, billing)) ?? {};
  return (roles as Record<string, { readonly fromGroup?: boolean }>).editor;
};

describe('a role that an operator took from a member, and gave back by an undo', () => {
  test.each([
    ['leaves the group', (id: string) => remove(id, ada)],
    ['is not in the list that replaces the members', (id: string) => change(id, { members: { set: [bob] } })],
    ['is deleted by the directory', () => removeDirectoryUser({ id: ada }, it.context)],
    ['is in a group that is renamed', (id: string) => change(id, { displayName: 'Nobody' })],
    ['is in a group that is deleted', (id: string) => removeDirectoryGroup({ id }, it.context)],
  ])('is taken when the member %s', async (_, act) => {
    const id = await create('Writers', [ada]);
    await undo(ada, await revoke(ada));
    expect(rolesOf(ada)).toEqual(['billing editor']);
    await act(id);
    expect(rolesOf(ada)).toEqual([]);
  });

  test('is taken after several undos of undos', async () => {
    const id = await create('Writers', [ada]);
    await undo(ada, await revoke(ada));
    for (let undone = 0; undone < 2; undone++) await undo(ada, await latestChange());
    expect(rolesOf(ada)).toEqual(['billing editor']);
    await remove(id, ada);
    expect(rolesOf(ada)).toEqual([]);
  });

  test('is not given back to one who has left the group since', async () => {
    const id = await create('Writers', [ada]);
    const changeId = await revoke(ada);
    await remove(id, ada);
    await expect(undo(ada, changeId)).rejects.toMatchObject({
      code: 'not_undoable',
      options: {
        detail: 'A group of the directory gave the role, and no group gives it now. Assign the role if it is needed.',
      },
    });
    expect(rolesOf(ada)).toEqual([]);
  });

  test('is not given back to one who leaves the group meanwhile', async () => {
    const id = await create('Writers', [ada]);
    const changeId = await revoke(ada);
    memory.beforeFirst('TransactWriteItems', () => remove(id, ada));
    expect(await codeOf(undo(ada, changeId))).toBe('not_undoable');
    expect(rolesOf(ada)).toEqual([]);
  });

  test('is given back to one whose directory is gone, as it left the roles of all others', async () => {
    await create('Writers', [ada]);
    const changeId = await revoke(ada);
    await deleteConnection({ connectionId: it.context.caller.connectionId }, operator);
    await undo(ada, changeId);
    expect(rolesOf(ada)).toEqual(['billing editor']);
  });

  test('stays with whom a person had given it', async () => {
    const id = await create('Writers', [ada]);
    await assign(ada, editor);
    await undo(ada, await revoke(ada));
    await remove(id, ada);
    expect(rolesOf(ada)).toEqual(['billing editor']);
  });
});

describe('a role that a group gave, and that a person then assigns in the same way', () => {
  test('is the person’s from then on', async () => {
    const id = await create('Writers', [ada]);
    expect(await assign(ada, editor)).toMatchObject({ changed: true });
    expect(await assign(ada, editor)).toMatchObject({ changed: false });
    await remove(id, ada);
    expect(rolesOf(ada)).toEqual(['billing editor']);
  });

  test('is the group’s again once that is undone', async () => {
    const id = await create('Writers', [ada]);
    await assign(ada, editor);
    await undo(ada, await latestChange());
    expect(grantOf(ada)).toMatchObject({ fromGroup: true });
    await remove(id, ada);
    expect(rolesOf(ada)).toEqual([]);
  });
});

describe('a role that a group of a deleted connection gave', () => {
  const takenOver = async () => {
    await deleteConnection({ connectionId: it.context.caller.connectionId }, operator);
    const context = await newDirectory({ takeover: 'matching', applications: [billing, wiki], groupRoles });
    for (const name of ['ada', 'bob']) await provisionUser(aDirectoryUser(name), context);
    const group = { displayName: 'Writers', externalId: null, members: [ada, bob] };
    return { context, id: (await createDirectoryGroup(group, context)).id };
  };

  test('follows the group of the directory that takes the user over, and not what a person assigned', async () => {
    await create('Writers', [ada, bob]);
    await assign(bob, editor);
    const { context, id } = await takenOver();
    expect([rolesOf(ada), rolesOf(bob)]).toEqual([['billing editor'], ['billing editor']]);
    await removeDirectoryGroup({ id }, context);
    expect([rolesOf(ada), rolesOf(bob)]).toEqual([[], ['billing editor']]);
  });

  test('is taken also when that directory deletes the user', async () => {
    await create('Writers', [ada]);
    const { context } = await takenOver();
    await removeDirectoryUser({ id: ada }, context);
    expect(rolesOf(ada)).toEqual([]);
  });

  test('follows the new group although the account changed while it was found', async () => {
    await create('Writers', [ada]);
    memory.beforeFirst('"billing editor"', () => {
      const account = memory.table.get(accountKey(ada));
      memory.put({ ...account, version: Number(account?.version) + 1 });
    });
    const { context, id } = await takenOver();
    await removeDirectoryGroup({ id }, context);
    expect(rolesOf(ada)).toEqual([]);
  });
});

describe('a role that was deleted and defined again', () => {
  const defineAgain = async () => {
    await deleteRole({ appId: billing as AppId, role: editor, force: true }, operator);
    await defineRole({ appId: billing as AppId, role: editor, description: 'again' }, operator);
  };

  test.each([
    ['adds them again', (id: string) => add(id, ada)],
    ['sends all members', (id: string) => change(id, { members: { set: [ada, bob] } })],
  ])('reaches those who were members before when the directory %s', async (_, act) => {
    const id = await create('Writers', [ada, bob]);
    await revoke(ada);
    await defineAgain();
    expect([rolesOf(ada), rolesOf(bob)]).toEqual([[], []]);
    await act(id);
    expect(rolesOf(ada)).toEqual(['billing editor']);
    await remove(id, ada);
    expect(rolesOf(ada)).toEqual([]);
  });

  test('is not given again to one from whom an operator took it since', async () => {
    const id = await create('Writers', [ada]);
    await defineAgain();
    await add(id, ada);
    await revoke(ada);
    await add(id, ada);
    expect(rolesOf(ada)).toEqual([]);
  });
});

describe('a grant of an earlier release, which does not say that a group gave it', () => {
  const withoutMark = (userId: UserId) => {
    const access = memory.table.get(accessKey(userId, billing)) ?? {};
    const { fromGroup: _, ...grant } = grantOf(userId) ?? {};
    memory.put({ ...access, roles: { editor: grant } });
  };

  test('is taken when the member leaves the group, by its time', async () => {
    const id = await create('Writers', [ada, bob]);
    withoutMark(ada);
    withoutMark(bob);
    await assign(bob, editor, '2030-01-01T00:00:00.000Z');
    await change(id, { members: { set: [] } });
    expect([rolesOf(ada), rolesOf(bob)]).toEqual([[], ['billing editor']]);
  });
});

test('every change says whether a group gave the role, as the table does', async () => {
  const id = await create('Writers', [ada, bob]);
  await undo(ada, await revoke(ada));
  await assign(bob, editor);
  const changes = async () => (await listAllChanges({ limit: 100 })).items.toReversed();
  const differences = async () =>
    compareState(foldChanges(await changes()), memory.table.items() as StoredItem[], new Date()).differences.filter(
      ({ subject }) => subject.startsWith('access'),
    );
  expect(await differences()).toEqual([]);
  expect(checkChains(await changes(), [], {}).findings).toEqual([]);
  expect(foldChanges(await changes()).discontinuities).toEqual([]);
  const access = memory.table.get(accessKey(bob, billing));
  memory.put({ ...access, roles: { editor: { ...grantOf(bob), fromGroup: true } } });
  expect((await differences()).map(({ detail }) => detail)).toEqual([
    'fromGroup of role editor is true in the table, and false by the changes',
  ]);
  await remove(id, ada);
});
