import { describe, expect, test } from '@jest/globals';
import { deleteConnection } from '#options/connections/server/delete-connection.ts';
import type { ConnectionId, UserId } from '#shared/contract/fields.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import { deleteRole } from '#shared/domain/role/delete-role.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { accessKey } from '#shared/table/keys/access-item-keys.ts';
import { memberKey } from '#shared/table/keys/role-item-keys.ts';
import { userKey } from '#shared/table/keys/user-item-keys.ts';
import { operator } from '#test/support/start-service.ts';
import { provisionUser } from '../../server/provision-user.ts';
import { removeDirectoryGroup } from '../../server/remove-directory-group.ts';
import { accountKey, groupMemberKey } from '../../table/directory-item-keys.ts';
import { ada, billing, editor, groupsForEachTest } from '../support/mapped-groups.ts';
import { aDirectoryUser } from '../support/new-directory.ts';
import { codeOf } from '../support/users-of-directories.ts';

const it = groupsForEachTest();
const { create, change, add, remove, rolesOf, keysOfDirectory, memory } = it;
const eve = 'eve' as UserId;
const putAccount = (changes: object) => memory.put({ ...memory.table.get(accountKey(ada)), ...changes });

describe('a group that is deleted', () => {
  test('loses also a member whom a request in progress adds after its members have left', async () => {
    const id = await create('Writers', [ada]);
    const own = ({ pk, sk }: object & { readonly pk?: unknown; readonly sk?: unknown }) =>
      /^(ACCOUNT|ACCESS#billing)$/.test(String(sk)) || String(pk).includes(`#GROUP#${id}`);
    const joined = memory.table.items().filter(own);
    await remove(id, ada);
    let seen = 0;
    memory.before = ({ command }) => {
      if (seen === 0 && command === 'QueryCommand') seen = 1;
      // What a request wrote last that had begun before the group was marked.
      else if (seen === 1) {
        seen = 2;
        memory.put(...joined);
      }
    };
    await removeDirectoryGroup({ id }, it.context);
    memory.before = undefined;
    expect([rolesOf(ada), memory.table.get(accountKey(ada))?.groups]).toEqual([[], []]);
    expect(memory.table.get(groupMemberKey(it.context.caller.connectionId, id, ada))).toBeUndefined();
  });

  test('is not created again by the count of a change of its members', async () => {
    const id = await create('Staff');
    memory.beforeFirst('TransactWriteItems', () => removeDirectoryGroup({ id }, it.context));
    expect(await codeOf(add(id, ada))).toBe('route_not_found');
    expect(keysOfDirectory().filter((key) => key.startsWith('GROUP'))).toEqual([]);
  });
});

test('a user is created over the tombstone that was read, not over that of another user since', async () => {
  await provisionUser(aDirectoryUser(eve), it.context);
  await deleteUser({ userId: eve }, operator);
  const lastChangeId = lowestUlid(new Date(Date.now() + 60_000));
  memory.beforeFirst('TransactWriteItems', () => memory.put({ ...memory.table.get(userKey(eve)), lastChangeId }));
  await provisionUser(aDirectoryUser(eve), it.context);
  expect(String(memory.table.get(userKey(eve))?.lastChangeId) > lastChangeId).toBe(true);
});

test('a role that is deleted is taken from one whose entry was written again since it was read', async () => {
  const entry = { ...memberKey(billing, editor, ada), userId: ada, expiresAt: null };
  memory.put({ ...entry, grantedAt: '2020-01-01T00:00:00.000Z' });
  memory.beforeFirst('"Delete"', async () => {
    // A request that had begun before the deletion.
    const grantedAt = new Date().toISOString();
    memory.put({ ...entry, grantedAt });
    const key = accessKey(ada, billing);
    const [last, changed] = ['01M81J18QPSTJM56HKCQ6J9Y04', { version: 1, updatedAt: grantedAt }];
    const user = memory.table.get(userKey(ada));
    memory.put({
      ...key,
      userId: ada,
      appId: billing,
      status: null,
      reason: null,
      until: null,
      ticket: null,
      ...changed,
      statusChangeId: null,
      lastChangeId: last,
      chainHead: 'mac',
      userCreatedAt: user?.createdAt,
      roles: { editor: { grantedAt, expiresAt: null } },
    });
  });
  await deleteRole({ appId: billing, role: editor, force: true }, operator);
  expect(rolesOf(ada)).toEqual([]);
});

describe('an account that another directory has taken over since it was read', () => {
  const other = 'other' as ConnectionId;

  test('does not get groups of the first', async () => {
    const id = await create('Staff');
    memory.beforeFirst('"given"', () => putAccount({ connectionId: other }));
    await add(id, ada);
    expect(memory.table.get(accountKey(ada))).toMatchObject({ connectionId: other, groups: [] });
  });

  test('is not deleted with the connection of the first', async () => {
    memory.beforeFirst('"Delete"', () => putAccount({ connectionId: other }));
    await codeOf(deleteConnection({ connectionId: it.context.caller.connectionId }, operator));
    expect(memory.table.get(accountKey(ada))).toMatchObject({ connectionId: other });
  });
});

test('a group is recorded to have given its roles only by the request that knows its name', async () => {
  const id = await create('Editors', [ada]);
  memory.beforeFirst('SET #appliedRoles', () => change(id, { displayName: 'Nobody' }));
  await change(id, { displayName: 'Writers' });
  expect(rolesOf(ada)).toEqual([]);
  memory.sdk.requests.length = 0;
  await change(id, { displayName: 'Nobody' });
  expect(memory.sdk.requests.map(({ command }) => command)).toEqual(['BatchGetItemCommand']);
});
