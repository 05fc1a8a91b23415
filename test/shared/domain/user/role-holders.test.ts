import { beforeEach, expect, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { assignRole, revokeRole } from '#shared/domain/role/grant-role.ts';
import { findUsers } from '#shared/domain/user/find-users.ts';
import { listUsersByRole } from '#shared/domain/user/role-holders.ts';
import { createUser, setUserStatus } from '#shared/domain/user/users.ts';
import { operatorContext as context } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const memory = tableForEachTest();
const [appId, role] = ['billing' as AppId, 'editor' as RoleName];
const assign = (userId: string, expiresAt: string | null = null) =>
  assignRole({ userId: userId as UserId, appId, grant: { role, expiresAt } }, context);
const list = async (hasRole: boolean, also: { status?: 'active' | 'inactive'; limit?: number; cursor?: string } = {}) =>
  listUsersByRole({ prefix: '', status: undefined, limit: 100, hasRole, ...also });
const idsOf = ({ items }: { readonly items: readonly { readonly userId: string }[] }) =>
  items.map(({ userId }) => userId);

beforeEach(async () => {
  await createApplication({ appId, name: 'Billing' }, context);
  await defineRole({ appId, role, description: null }, context);
  for (const userId of ['ada', 'bob', 'eve', 'zoe']) await createUser({ userId: userId as UserId }, context);
});

test('lists the users who hold a role, or hold none, and of these the inactive ones', async () => {
  for (const userId of ['bob', 'zoe']) await assign(userId);
  for (const userId of ['eve', 'zoe']) await setUserStatus({ userId: userId as UserId, status: 'inactive' }, context);
  expect(idsOf(await list(true))).toEqual(['bob', 'zoe']);
  expect(idsOf(await list(false))).toEqual(['ada', 'eve']);
  expect(idsOf(await list(true, { status: 'inactive' }))).toEqual(['zoe']);
  expect(idsOf(await list(true, { status: 'active' }))).toEqual(['bob']);
  expect(idsOf(await listUsersByRole({ prefix: 'z', limit: 1, hasRole: true }))).toEqual(['zoe']);
});

test('says which roles, to operators of some applications only those in them, and of a search too', async () => {
  await createApplication({ appId: 'crm' as AppId, name: 'CRM' }, context);
  await defineRole({ appId: 'crm' as AppId, role, description: null }, context);
  await assign('bob');
  await assignRole({ userId: 'bob' as UserId, appId: 'crm' as AppId, grant: { role, expiresAt: null } }, context);
  const [inBilling, inCrm] = [
    { appId, name: role, expiresAt: null },
    { appId: 'crm', name: role, expiresAt: null },
  ];
  const roles = async (limitedTo?: AppId[]) =>
    (await listUsersByRole({ prefix: '', limit: 9, hasRole: true, limitedTo })).items.map((user) => user.roles);
  expect(await roles()).toEqual([[inBilling, inCrm]]);
  expect(await roles([appId])).toEqual([[inBilling]]);
  const search = { q: 'bob', limit: 9, hasRole: true };
  expect((await findUsers(search)).items.map((user) => user.roles)).toEqual([[inBilling, inCrm]]);
  expect((await findUsers({ ...search, limitedTo: [appId] })).items.map((user) => user.roles)).toEqual([[inBilling]]);
  expect((await list(false)).items[0]).not.toHaveProperty('roles');
  expect((await findUsers({ q: 'bob', limit: 9 })).items[0]).not.toHaveProperty('roles');
});

test('neither a revoked nor an expired role counts, nor a grant of an erased user with the same id', async () => {
  for (const userId of ['ada', 'bob', 'eve']) await assign(userId);
  await revokeRole({ userId: 'ada' as UserId, appId, role }, context);
  const access = (userId: string) => memory.table.get({ pk: `USER#${userId}`, sk: `ACCESS#${appId}` });
  const expired = { editor: { grantedAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-02T00:00:00.000Z' } };
  memory.put({ ...access('bob'), roles: expired });
  memory.put({ ...access('eve'), userCreatedAt: '2020-01-01T00:00:00.000Z' });
  expect(idsOf(await list(true))).toEqual([]);
});

test('pages continue after the last user shown', async () => {
  for (const userId of ['ada', 'bob', 'zoe']) await assign(userId);
  const first = await list(true, { limit: 2 });
  expect([idsOf(first), first.cursor]).toEqual([['ada', 'bob'], expect.any(String)]);
  const second = await list(true, { limit: 2, cursor: String(first.cursor) });
  expect([idsOf(second), second.cursor]).toEqual([['zoe'], null]);
  await expect(list(false, { cursor: String(first.cursor) })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a page examines at most 500 users, each with one query', async () => {
  for (let n = 0; n < 600; n++) {
    const userId = `user-${String(n).padStart(3, '0')}`;
    memory.put({ ...memory.table.get({ pk: 'USER#ada', sk: 'USER' }), pk: `USER#${userId}`, userId });
    memory.put({ ...memory.table.get({ pk: 'USERS', sk: 'ada' }), sk: userId, userId });
  }
  memory.sdk.requests.length = 0;
  const page = await list(true, { limit: 25 });
  expect([page.items, page.cursor]).toEqual([[], expect.any(String)]);
  const queries = memory.sdk.requests.filter(({ command }) => command === 'QueryCommand');
  expect(queries).toHaveLength(500 + 5);
});

test('a search finds only users with a role, or without one', async () => {
  await assign('bob');
  const find = (q: string, hasRole: boolean) => findUsers({ q, hasRole, limit: 10 });
  expect(idsOf(await find('bob', true))).toEqual(['bob']);
  expect(idsOf(await find('bob', false))).toEqual([]);
  expect(idsOf(await find('ada', false))).toEqual(['ada']);
  expect(idsOf(await findUsers({ q: 'ada', limit: 10 }))).toEqual(['ada']);
});
