import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { scopes } from '#shared/contract/operation.ts';
import { itemsOf } from '../../bench/populations.ts';
import { grantRole } from '../support/new-application.ts';
import { operator, startSources, type TestService } from '../support/start-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startSources();
});
afterAll(() => service.stop());

test('the loaded items are those that the service writes', async () => {
  const { keyId, secret } = await writeByTheService();
  const population = { users: 1, accesses: 1, applications: 1, keysPerApplication: 1, rolesPerUser: 1 };
  const loaded = [...itemsOf(population, [{ keyId: keyId as never, secret }])];
  const written = await service.items();
  expect(loaded).toHaveLength(5);
  for (const item of loaded) expect(withoutMoments(item)).toEqual(withoutMoments(written.get(`${item.pk} ${item.sk}`)));
});

test('only as many users have an access as are asked for, and every application has keys of its own', () => {
  const population = { users: 3, accesses: 2, applications: 2, keysPerApplication: 1, rolesPerUser: 0 };
  const items = [...itemsOf(population, [{ keyId: 'svk_k1_app-0000_mine' as never, secret: '' }])];
  expect(items.filter(({ sk }) => sk === 'USER')).toHaveLength(3);
  expect(items.filter(({ sk }) => String(sk).startsWith('ACCESS#'))).toHaveLength(2);
  const [first, second] = items.filter(({ sk }) => sk === 'APP').map(({ keys }) => Object.keys(Object(keys)));
  expect(first).toEqual(['svk_k1_app-0000_mine']);
  expect(second).toEqual([expect.stringMatching(/^svk_k1_app-0001_/)]);
});

async function writeByTheService() {
  const { createApplication } = await import('#shared/domain/application/applications.ts');
  const { createUser } = await import('#shared/domain/user/users.ts');
  const { defineRole } = await import('#shared/domain/role/define-role.ts');
  const [appId, userId] = ['app-0000' as AppId, 'user-0000000' as UserId];
  await createApplication({ appId, name: 'Application 0' }, operator);
  await defineRole({ appId, role: 'role-000' as RoleName, description: null }, operator);
  await createUser({ userId, displayName: 'User 0', email: `${userId}@example.com` }, operator);
  const { setAccess } = await import('#shared/domain/access/set-status.ts');
  await setAccess({ userId, appId, setting: { status: 'enabled', reason: null, until: null } }, operator);
  await grantRole(userId, appId, 'role-000');
  return await service.issueKey(appId, scopes);
}

/** Every moment is another one. */
function withoutMoments(item: unknown): unknown {
  return JSON.parse(JSON.stringify(item), (_, value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? 'a moment' : value,
  );
}
