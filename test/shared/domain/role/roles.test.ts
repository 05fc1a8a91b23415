import { beforeEach, expect, jest, test } from '@jest/globals';
import type { AppId, BulkId, RoleName, UserId } from '#shared/contract/fields.ts';
import { createUlid } from '#shared/core/ids.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { deleteRole } from '#shared/domain/role/delete-role.ts';
import { assignRole } from '#shared/domain/role/grant-role.ts';
import { assignRoleInBulk, listMembers, revokeRoleInBulk } from '#shared/domain/role/members.ts';
import { getRole, listRoles } from '#shared/domain/role/roles.ts';
import { operatorContext as context } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { applicationItem, roleItem, userItem } from '../../../support/table-items.ts';

const [appId, role] = ['billing' as AppId, 'editor' as RoleName];
const [start, later] = ['2026-11-20T19:00:00.000Z', '2026-11-20T19:01:00.000Z'];

const memory = tableForEachTest(new Date(start));
const define = (description: string | null, name = role) => defineRole({ appId, role: name, description }, context);
const changes = () => memory.table.items().filter(({ sk }) => /^CHANGE#/.test(String(sk)));

beforeEach(() => {
  memory.put(applicationItem(), userItem({ userId: 'ada', displayName: 'Ada', email: 'ada@example.com' }));
  memory.put(userItem({ userId: 'bob', displayName: null, email: null }));
});

test('a role is defined once, and its description can be changed', async () => {
  const first = { appId, role, description: null, version: 1, createdAt: start, updatedAt: start };
  expect(await define(null)).toEqual({ ...first, changed: true, created: true });
  jest.setSystemTime(new Date(later));
  expect(await define(null)).toEqual({ ...first, changed: false, created: false });
  const second = { ...first, description: 'Edits', version: 2, updatedAt: later };
  expect(await define('Edits')).toEqual({ ...second, changed: true, created: false });
  expect(await getRole({ appId, role })).toEqual(second);
  expect(changes()).toMatchObject([
    { action: 'role.defined', appId, role, before: null, after: { description: null, version: 1 } },
    { before: { description: null, version: 1 }, after: { description: 'Edits', version: 2 } },
  ]);
});

test('each change of a role links to the one before', async () => {
  await define(null);
  await define('Edits');
  const deletion = deleteRole({ appId, role, force: true }, context);
  await jest.advanceTimersByTimeAsync(60_000);
  await deletion;
  const [first, second, third] = changes() as { integrity?: { mac: string; previous: string | null } }[];
  expect(first?.integrity?.previous).toBeNull();
  expect(second?.integrity?.previous).toBe(first?.integrity?.mac);
  expect(third).toMatchObject({ before: { description: 'Edits', version: 2 }, after: null });
  expect(third?.integrity?.previous).toBe(second?.integrity?.mac);
});

test('the roles of an application are listed by name, without deleted ones', async () => {
  memory.put(roleItem({ role: 'billing-admin', deleting: true, swept: true }));
  for (const name of ['viewer', 'editor', 'admin']) await define(`Is ${name}`, name as RoleName);
  const { items, cursor } = await listRoles({ appId, limit: 2 });
  expect(items.map((one) => [one.role, one.description])).toEqual([
    ['admin', 'Is admin'],
    ['editor', 'Is editor'],
  ]);
  const rest = await listRoles({ appId, limit: 2, cursor: cursor ?? '' });
  expect([rest.items.map((one) => one.role), rest.cursor]).toEqual([['viewer'], null]);
  await expect(listRoles({ appId: 'gone' as AppId, limit: 2 })).rejects.toMatchObject({
    code: 'application_not_found',
  });
});

const bulk = () => ({ appId, role, userIds: ['ada', 'bob', 'eve'], bulkId: createUlid(new Date()) as BulkId });
const members = () => listMembers({ appId, role, limit: 10 });

test('a role is assigned to many users, who are listed with their names, and revoked from them', async () => {
  await define(null);
  const assigned = await assignRoleInBulk({ ...bulk(), expiresAt: later }, context);
  expect(assigned.map((one) => [one.userId, one.outcome, one.problem?.code])).toEqual([
    ['ada', 'changed', undefined],
    ['bob', 'changed', undefined],
    ['eve', 'failed', 'user_not_found'],
  ]);
  expect(await members()).toEqual({
    items: [
      { userId: 'ada', displayName: 'Ada', email: 'ada@example.com', expiresAt: later },
      { userId: 'bob', displayName: null, email: null, expiresAt: later },
    ],
    cursor: null,
  });
  const revoked = await revokeRoleInBulk(bulk(), context);
  expect(revoked.map(({ outcome }) => outcome)).toEqual(['changed', 'changed', 'failed']);
  expect((await members()).items).toEqual([]);
});

test('a role is not listed for users whose grant has expired', async () => {
  await define(null);
  await assignRoleInBulk({ ...bulk(), expiresAt: later }, context);
  jest.setSystemTime(new Date(later));
  expect((await members()).items).toEqual([]);
});

test('an unknown role or a past expiry is refused', async () => {
  const assign = (expiresAt: string | null) =>
    assignRole({ userId: 'ada' as UserId, appId, grant: { role, expiresAt } }, context);
  const unknown = { code: 'role_not_found' };
  await expect(assign(null)).rejects.toMatchObject(unknown);
  for (const refused of [
    getRole({ appId, role }),
    members(),
    assignRoleInBulk({ ...bulk(), expiresAt: null }, context),
  ])
    await expect(refused).rejects.toMatchObject(unknown);
  await define(null);
  const past = { code: 'invalid_request', options: { field: { name: 'expiresAt' } } };
  await expect(assign(start)).rejects.toMatchObject(past);
  await expect(assignRoleInBulk({ ...bulk(), expiresAt: start }, context)).rejects.toMatchObject(past);
  const gone = revokeRoleInBulk({ ...bulk(), appId: 'gone' as AppId }, context);
  await expect(gone).rejects.toMatchObject({ code: 'application_not_found' });
});
