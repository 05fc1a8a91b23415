import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, ConnectionId, RoleName, UserId } from '#shared/contract/fields.ts';
import { updateConnection } from '#shared/domain/connection/connections.ts';
import { deleteConnection } from '#shared/domain/connection/delete-connection.ts';
import { listAllChanges } from '#shared/domain/history/list-all-changes.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { assignRole, revokeRole } from '#shared/domain/role/grant-role.ts';
import { changeDirectoryGroup, createDirectoryGroup } from '#shared/domain/scim/change-directory-group.ts';
import { readDirectoryUser, removeDirectoryUser } from '#shared/domain/scim/change-directory-user.ts';
import { findDirectoryGroups, readDirectoryGroup } from '#shared/domain/scim/directory-groups.ts';
import { provisionUser } from '#shared/domain/scim/provision-user.ts';
import { removeDirectoryGroup } from '#shared/domain/scim/remove-directory-group.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { getUser, setUserStatus } from '#shared/domain/user/users.ts';
import type { GroupChange } from '#shared/scim/directory.ts';
import { accessKey, accountEntryKey } from '#shared/table/keys.ts';
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

  test('has a name of its own', async () => {
    await create('Staff');
    expect(await codeOf(create('Staff'))).toBe('already_exists');
    expect(await codeOf(change(await create('Crew'), { displayName: 'Staff' }))).toBe('already_exists');
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
    const stale = changeDirectoryGroup({ id, ifMatch: [7] }, { displayName: 'x' }, context);
    expect(await codeOf(stale)).toBe('version_mismatch');
  });

  test('takes only users of its directory, and refuses others before it adds anybody', async () => {
    const id = await create('Editors');
    await provisionUser(aDirectoryUser('eve'), await newDirectory());
    expect(await codeOf(add(id, ada, 'eve' as UserId))).toBe('invalid_request');
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

  test('get what a new mapping gives with the next change of their group', async () => {
    const id = await create('Editors', [ada, bob]);
    const { connectionId } = context.caller;
    await updateConnection(
      { connectionId: connectionId as ConnectionId, groupRoles: [{ group: 'Editors', appId: wiki, role: editor }] },
      operator,
    );
    await change(id, { displayName: 'Editors' });
    expect([rolesOf(ada), rolesOf(bob)]).toEqual([['wiki editor'], ['wiki editor']]);
  });

  test('join a group although one of its roles no longer exists', async () => {
    memory.put(roleItem({ appId: wiki, role: viewer, deleting: true } as object));
    await create('Editors', [ada]);
    expect(rolesOf(ada)).toEqual(['billing editor']);
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

describe('what stops in the middle', () => {
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
    expect(await membersOf(id)).toEqual(names);
    memory.sdk.requests.length = 0;
    await add(id, ada);
    expect(memory.sdk.requests.filter(({ command }) => command === 'QueryCommand')).toEqual([]);
    expect(memory.sdk.requests.length).toBeLessThan(7);
  });
});
