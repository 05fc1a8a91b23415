import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, ConnectionId, RoleName, UserId } from '#shared/contract/fields.ts';
import { updateConnection } from '#shared/domain/connection/connections.ts';
import { deleteConnection } from '#shared/domain/connection/delete-connection.ts';
import { listAllChanges } from '#shared/domain/history/list-all-changes.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { assignRole, revokeRole } from '#shared/domain/role/grant-role.ts';
import { changeDirectoryGroup, createDirectoryGroup } from '#shared/domain/scim/change-directory-group.ts';
import {
  changeDirectoryUser,
  readDirectoryUser,
  removeDirectoryUser,
} from '#shared/domain/scim/change-directory-user.ts';
import { findDirectoryGroups, readDirectoryGroup } from '#shared/domain/scim/directory-groups.ts';
import { provisionUser } from '#shared/domain/scim/provision-user.ts';
import { removeDirectoryGroup } from '#shared/domain/scim/remove-directory-group.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { getUser, setUserStatus } from '#shared/domain/user/users.ts';
import type { GroupChange } from '#shared/scim/directory.ts';
import {
  accessKey,
  accountEntryKey,
  accountKey,
  applicationKey,
  groupKey,
  groupMemberKey,
  roleKey,
} from '#shared/table/keys.ts';
import { aDirectoryUser, newDirectory } from '../../../support/new-directory.ts';
import { operator } from '../../../support/start-service.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { applicationItem, roleItem } from '../../../support/table-items.ts';

const memory = tableForEachTest();
const [ada, bob] = ['ada' as UserId, 'bob' as UserId];
const [billing, wiki] = ['billing' as AppId, 'wiki' as AppId];
const [editor, viewer] = ['editor' as RoleName, 'viewer' as RoleName];
const groupRoles = [
  { group: 'Editors', appId: billing, role: editor },
  { group: 'Editors', appId: wiki, role: viewer },
  { group: 'Writers', appId: billing, role: editor },
];

let context: ConnectionContext;
beforeEach(async () => {
  // Retries wait for some milliseconds.
  jest.useRealTimers();
  for (const appId of [billing, wiki]) {
    memory.put(applicationItem({ appId }));
    for (const role of [editor, viewer]) memory.put(roleItem({ appId, role }));
  }
  context = await newDirectory({ applications: [billing, wiki], groupRoles });
  for (const name of ['ada', 'bob']) await provisionUser(aDirectoryUser(name), context);
});

const create = async (displayName: string, members: UserId[] = []) =>
  (await createDirectoryGroup({ displayName, externalId: null, members }, context)).id;
const change = (id: string, next: GroupChange) => changeDirectoryGroup({ id }, next, context);
const add = (id: string, ...members: UserId[]) => change(id, { members: { add: members, remove: [] } });
const remove = (id: string, ...members: UserId[]) => change(id, { members: { add: [], remove: members } });
const membersOf = async (id: string) => (await readDirectoryGroup({ id, withMembers: true }, context)).members;
const rolesOf = (userId: UserId) =>
  memory.table
    .items()
    .flatMap(({ pk, sk, appId, roles }) =>
      pk === `USER#${userId}` && String(sk).startsWith('ACCESS#')
        ? Object.keys(roles as object).map((role) => `${appId} ${role}`)
        : [],
    )
    .sort();
const assign = (userId: UserId, role: RoleName, expiresAt: string | null = null) =>
  assignRole({ userId, appId: billing, grant: { role, expiresAt } }, operator);
const roleChanges = async () =>
  (await listAllChanges({ limit: 100 })).items
    .toReversed()
    .flatMap(({ action, role, caller }) => (action.startsWith('role.') ? [`${action} ${role} ${caller.kind}`] : []));
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    ({ code }) => code,
  );
const keysOfDirectory = () =>
  memory.table.items().flatMap(({ pk, sk }) => (String(pk).startsWith('SCIM#') ? [`${sk}`] : []));

const accountsLeft = () => memory.table.items().filter(({ sk }) => sk === 'ACCOUNT');

describe('a group', () => {
  test('is created, read, found, renamed and deleted', async () => {
    const id = await create('Staff', [bob, ada]);
    expect(await readDirectoryGroup({ id, withMembers: true }, context)).toMatchObject({
      ...{ id, displayName: 'Staff', externalId: null, members: ['ada', 'bob'], version: 1 },
    });
    const found = async (conditions: object) => {
      const page = { startIndex: 1, count: 10, withMembers: false };
      const { total, groups } = await findDirectoryGroups({ ...conditions, ...page }, context);
      return [total, ...groups.map(({ displayName, members }) => [displayName, members])];
    };
    expect(await found({ displayName: 'Staff' })).toEqual([1, ['Staff', undefined]]);
    expect(await found({ member: 'ada' })).toEqual([1, ['Staff', undefined]]);
    expect(await found({ member: 'ada', id: 'other' })).toEqual([0]);
    expect(await found({ displayName: 'staff' })).toEqual([0]);
    expect(await change(id, { displayName: 'Crew', externalId: 'x' })).toMatchObject({
      displayName: 'Crew',
      version: 2,
    });
    expect(await found({ externalId: 'x' })).toEqual([1, ['Crew', undefined]]);
    expect(await found({})).toEqual([1, ['Crew', undefined]]);
    expect((await readDirectoryUser({ id: ada }, context)).groups).toEqual([{ id, displayName: 'Crew' }]);
    await removeDirectoryGroup({ id }, context);
    expect(await codeOf(readDirectoryGroup({ id, withMembers: false }, context))).toBe('route_not_found');
    expect(await codeOf(removeDirectoryGroup({ id }, context))).toBe('route_not_found');
    expect((await readDirectoryUser({ id: ada }, context)).groups).toEqual([]);
    expect(keysOfDirectory().filter((key) => key.startsWith('GROUP'))).toEqual([]);
  });

  test('has a name and an external id of its own, and keeps one while it changes the other', async () => {
    const given = { externalId: 'x', members: [] };
    const { id: staff } = await createDirectoryGroup({ displayName: 'Staff', ...given }, context);
    const crew = await create('Crew');
    const taken = (what: string) => ({
      code: 'already_exists',
      options: {
        detail: `Another group of the directory has this ${what}.`,
        field: { name: what, detail: 'is taken' },
      },
    });
    await expect(create('Staff')).rejects.toMatchObject(taken('displayName'));
    await expect(change(crew, { displayName: 'Staff' })).rejects.toMatchObject(taken('displayName'));
    await expect(createDirectoryGroup({ displayName: 'New', ...given }, context)).rejects.toMatchObject(
      taken('externalId'),
    );
    await expect(change(crew, { externalId: 'x' })).rejects.toMatchObject(taken('externalId'));
    expect(await change(staff, { displayName: 'Personnel' })).toMatchObject({ externalId: 'x', version: 2 });
    expect(await change(staff, { externalId: 'y' })).toMatchObject({ displayName: 'Personnel', version: 3 });
    expect(await change(crew, { externalId: 'x' })).toMatchObject({ displayName: 'Crew', externalId: 'x' });
    await create('Staff');
  });

  test('is found by all of several conditions, and by one without reading all groups', async () => {
    const group = async (displayName: string, externalId: string, members: UserId[]) =>
      (await createDirectoryGroup({ displayName, externalId, members }, context)).id;
    const [staff, crew] = [await group('Staff', 's', [ada]), await group('Crew', 'c', [ada, bob])];
    await group('Others', 'o', []);
    const found = async (conditions: object) => {
      const page = { startIndex: 1, count: 10, withMembers: false };
      const { total, groups } = await findDirectoryGroups({ ...conditions, ...page }, context);
      expect(total).toBe(groups.length);
      return groups.map(({ id }) => id);
    };
    memory.sdk.requests.length = 0;
    expect(await found({ id: crew })).toEqual([crew]);
    expect(await found({ displayName: 'Crew' })).toEqual([crew]);
    expect(await found({ externalId: 'c' })).toEqual([crew]);
    expect(await found({ member: 'bob' })).toEqual([crew]);
    expect(await found({ member: 'ada' })).toEqual([staff, crew]);
    expect(await found({ member: 'ada', id: crew })).toEqual([crew]);
    expect(await found({ displayName: 'Crew', externalId: 's' })).toEqual([]);
    expect(await found({ id: crew, displayName: 'Staff' })).toEqual([]);
    expect(await found({ id: crew, externalId: 's' })).toEqual([]);
    expect(await found({ displayName: 'Nobody' })).toEqual([]);
    for (const member of ['nobody', 'not an id', '']) expect(await found({ member })).toEqual([]);
    expect(memory.sdk.requests.filter(({ command }) => command === 'QueryCommand')).toEqual([]);
    await provisionUser(aDirectoryUser('eve'), await newDirectory());
    expect(await found({ member: 'eve' })).toEqual([]);
  });

  test('of another connection is not there', async () => {
    const id = await create('Editors');
    const other = await newDirectory();
    expect(await codeOf(readDirectoryGroup({ id, withMembers: true }, other))).toBe('route_not_found');
    expect(await codeOf(changeDirectoryGroup({ id }, { displayName: 'x' }, other))).toBe('route_not_found');
    expect(await codeOf(removeDirectoryGroup({ id }, other))).toBe('route_not_found');
  });

  test('needs its own scope, and the version that the directory knows', async () => {
    const id = await create('Editors');
    const usersOnly = await newDirectory({}, { scopes: ['users:write'] });
    expect(await codeOf(createDirectoryGroup({ displayName: 'x', externalId: null, members: [] }, usersOnly))).toBe(
      'scope_missing',
    );
    for (const stale of [
      changeDirectoryGroup({ id, ifMatch: [7] }, { displayName: 'x' }, context),
      removeDirectoryGroup({ id, ifMatch: [7] }, context),
    ]) {
      await expect(stale).rejects.toMatchObject({
        code: 'version_mismatch',
        options: { detail: 'The group is at version 1. Re-read it and try again.' },
      });
    }
    await expect(readDirectoryGroup({ id: 'other', withMembers: false }, context)).rejects.toMatchObject({
      options: { detail: 'The directory has no group with this id.' },
    });
  });

  test('has another version after each change, which the answer says as a later read does', async () => {
    const id = await create('Editors');
    const read = () => readDirectoryGroup({ id, withMembers: false }, context);
    const added = await add(id, ada);
    expect([added.version, added.members]).toEqual([2, undefined]);
    expect(await read()).toEqual(added);
    expect(await change(id, { members: { add: [], remove: [] } })).toEqual(added);
    expect(await change(id, { displayName: 'Editors' })).toEqual(added);
    const renamed = await change(id, { displayName: 'Writers' });
    expect([renamed.version, renamed.members]).toEqual([3, undefined]);
    expect(await read()).toEqual(renamed);
  });

  test('is created with its members in the answer, each once and by id', async () => {
    const members = [bob, ada, bob];
    const created = await createDirectoryGroup({ displayName: 'Staff', externalId: null, members }, context);
    expect(created.members).toEqual([ada, bob]);
    expect(await readDirectoryGroup({ id: created.id, withMembers: true }, context)).toEqual(created);
  });

  test('takes only users of its directory, and refuses others before it adds anybody', async () => {
    const id = await create('Editors');
    await provisionUser(aDirectoryUser('eve'), await newDirectory());
    const detail = 'must be users of the directory; eve is not';
    await expect(add(id, ada, 'eve' as UserId)).rejects.toMatchObject({
      code: 'invalid_request',
      options: { field: { name: 'members', detail } },
    });
    expect(await codeOf(add(id, ada, 'nobody' as UserId))).toBe('invalid_request');
    expect(await membersOf(id)).toEqual([]);
    expect(await codeOf(remove(id, 'nobody' as UserId))).toBe('accepted');
  });
});

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
    await removeDirectoryUser({ id: ada }, context);
    expect([rolesOf(ada), await membersOf(id)]).toEqual([[], []]);
    expect(await codeOf(readDirectoryUser({ id: ada }, context))).toBe('user_not_found');
  });

  test('leave a group without roles when the directory removes them', async () => {
    const id = await create('Staff', [ada]);
    await removeDirectoryUser({ id: ada }, context);
    expect(await membersOf(id)).toEqual([]);
    expect(await codeOf(readDirectoryUser({ id: ada }, context))).toBe('user_not_found');
  });

  test('lose the roles of a group that is deleted or renamed, and get those of its new name', async () => {
    const id = await create('Editors', [ada]);
    await change(id, { displayName: 'Writers' });
    expect(rolesOf(ada)).toEqual(['billing editor']);
    await change(id, { displayName: 'Nobody' });
    expect(rolesOf(ada)).toEqual([]);
    await change(id, { displayName: 'Editors' });
    await removeDirectoryGroup({ id }, context);
    expect(rolesOf(ada)).toEqual([]);
  });

  const map = (rows: typeof groupRoles) =>
    updateConnection({ connectionId: context.caller.connectionId as ConnectionId, groupRoles: rows }, operator);

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
    // The group with its connection; the users; twice the plan; the access; the role with the groups; the plan; the count.
    expect(await written(() => add(id, ada))).toEqual([...[read, read, read, read, read, write], ...[read, write]]);
    // Those who are in it already cause no transaction of their own.
    expect(await written(() => add(id, ada))).toEqual([read, read, read, write]);
    expect(await written(() => add(staff, ada))).toEqual([...[read, read, read, read, write], write]);
    // Each plan also reads the other group.
    expect(await written(() => remove(id, ada))).toEqual([
      ...[read, read, read, read, read, read, write],
      ...[read, read, write],
    ]);
    expect((await readDirectoryUser({ id: ada }, context)).groups.map((group) => group.id)).toEqual([staff]);
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
    // Then the users, their groups, and that all have what the group gives.
    expect(await sent(() => create('Staff', [ada, bob]))).toEqual([read, read, write, read, read, write, write]);
    const id = await create('Others', [ada]);
    // The group, and the new name.
    expect(await sent(() => change(id, { displayName: 'Viewers' }))).toEqual([read, read, write]);
    await map([{ group: 'Viewers', appId: wiki, role: viewer }]);
    // The members with this group, the others of one, the same again for each who gets a role, and after it.
    expect(await sent(() => change(id, { displayName: 'Viewers' }))).toEqual([
      ...[read, query, read, read, read, read, read, write],
      ...[read, read, write],
    ]);
  });

  test('are in their groups in one order, however they joined', async () => {
    const ids = [await create('Staff'), await create('Crew'), await create('Others')];
    for (const id of ids.toReversed()) await add(id, ada);
    expect((await readDirectoryUser({ id: ada }, context)).groups.map(({ id }) => id)).toEqual(ids.toSorted());
  });

  test('leave a group that is being deleted with whatever changes them next', async () => {
    const id = await create('Editors', [ada]);
    memory.put({ ...memory.table.get(groupKey(context.caller.connectionId, id)), deleting: true });
    expect((await readDirectoryUser({ id: ada }, context)).groups).toEqual([]);
    const other = await create('Staff', [ada]);
    expect([rolesOf(ada), memory.table.get(accountKey(ada))?.groups]).toEqual([[], [other]]);
    const page = { startIndex: 1, count: 10, withMembers: false };
    for (const [conditions, found] of [
      [{}, [other]],
      [{ id }, []],
      [{ displayName: 'Editors' }, []],
    ] as const) {
      const { total, groups } = await findDirectoryGroups({ ...conditions, ...page }, context);
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
    ['joins', 'removes', () => removeDirectoryUser({ id: ada }, context)],
    ['joins', 'erases', () => deleteUser({ userId: ada }, operator)],
    ['leaves', 'removes', () => removeDirectoryUser({ id: ada }, context)],
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
      changeDirectoryUser({ id: ada }, (current) => ({ ...current, attributes: { title: 'Countess' } }), context),
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
    memory.beforeFirst(`GROUP#${id}`, () => removeDirectoryGroup({ id }, context));
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
      createDirectoryGroup({ displayName: 'Writers', externalId, members: [ada] }, context);
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
    const { connectionId } = context.caller;
    const id = await create('Editors', [ada]);
    memory.put({ ...groupMemberKey(connectionId, id, 'gone' as UserId), userId: 'gone' });
    failAfter(1);
    expect(await codeOf(removeDirectoryGroup({ id, ifMatch: [1] }, context))).toBe('unavailable');
    memory.before = undefined;
    expect(memory.table.get(groupKey(connectionId, id))).toMatchObject({ deleting: true, version: 2 });
    await removeDirectoryGroup({ id, ifMatch: [1] }, context);
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
    await codeOf(removeDirectoryGroup({ id }, context));
    memory.before = undefined;
    expect(await codeOf(readDirectoryGroup({ id, withMembers: true }, context))).toBe('route_not_found');
    expect(await codeOf(add(id, bob))).toBe('route_not_found');
    await removeDirectoryGroup({ id }, context);
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
    await removeDirectoryGroup({ id }, context);
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

describe('a deleted connection', () => {
  const remove = () => deleteConnection({ connectionId: context.caller.connectionId }, operator);

  test('leaves its users with their status and their roles, and nothing of what the directory said', async () => {
    await create('Editors', [ada]);
    await provisionUser(aDirectoryUser('eve', { active: false }), context);
    await provisionUser(aDirectoryUser('dan'), context);
    await removeDirectoryUser({ id: 'dan' as UserId }, context);
    expect(await remove()).toEqual({ changed: true, complete: true });
    expect([keysOfDirectory(), accountsLeft()]).toEqual([[], []]);
    expect(rolesOf(ada)).toEqual(['billing editor', 'wiki viewer']);
    expect((await getUser({ userId: 'eve' as UserId })).status).toBe('inactive');
    expect(await codeOf(remove())).toBe('connection_not_found');
    const next = await newDirectory({ takeover: 'matching' });
    expect(await provisionUser(aDirectoryUser('ada'), next)).toMatchObject({ created: true });
  });

  test('does not take the accounts that another connection has taken over since', async () => {
    const next = await newDirectory({ takeover: 'matching' });
    memory.beforeFirst('"swept"', async () => {
      await provisionUser(aDirectoryUser('ada'), next);
      memory.put({ ...accountEntryKey(context.caller.connectionId, ada), userId: ada });
      throw Object.assign(new Error('gone'), { name: 'AccessDenied', $metadata: { httpStatusCode: 400 } });
    });
    await codeOf(remove());
    expect(await remove()).toEqual({ changed: false, complete: true });
    expect(await codeOf(readDirectoryUser({ id: ada }, next))).toBe('accepted');
  });

  test('is swept of what a request in progress still wrote, and by a repetition', async () => {
    const { connectionId } = context.caller;
    const late = () => memory.put({ pk: `SCIM#${connectionId}`, sk: 'NAME#late', userId: 'late' });
    memory.beforeFirst('"swept"', () => {
      late();
      throw Object.assign(new Error('gone'), { name: 'AccessDenied', $metadata: { httpStatusCode: 400 } });
    });
    await codeOf(remove());
    expect(await remove()).toEqual({ changed: false, complete: true });
    expect(keysOfDirectory()).toEqual([]);
  });
});

describe('a large group', () => {
  test('changes one member without reading the others, and all of them in transactions of many', async () => {
    const names = Array.from({ length: 500 }, (_, n) => `user-${String(n).padStart(3, '0')}`);
    for (const name of names) await provisionUser(aDirectoryUser(name), context);
    const id = await create('Staff');
    memory.sdk.requests.length = 0;
    await change(id, { members: { set: names as UserId[] } });
    const sent = memory.sdk.requests.filter(({ command }) => command === 'TransactWriteItemsCommand');
    expect(sent.length).toBeLessThan(20);
    expect(memory.sdk.requests.length).toBeLessThan(60);
    expect(await membersOf(id)).toEqual(names);
    memory.sdk.requests.length = 0;
    await add(id, ada);
    expect(memory.sdk.requests.filter(({ command }) => command === 'QueryCommand')).toEqual([]);
    expect(memory.sdk.requests.length).toBeLessThan(7);
  });
});
