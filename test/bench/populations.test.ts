import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { scopes } from '#shared/contract/operation.ts';
import { benchKey, itemsOf } from '../../bench/populations.ts';
import { documentClient } from '../support/document-client.ts';
import { grantRole } from '../support/new-application.ts';
import { operator, startSources, type TestService } from '../support/start-service.ts';

const TableName = process.env.TABLE_NAME ?? '';

let service: TestService;
beforeAll(async () => {
  service = await startSources();
});
afterAll(() => service.stop());

test('the loaded items equal the items that the service writes', async () => {
  const { keyId } = await writeByTheService();
  const population = { users: 1, accesses: 1, applications: 1, keysPerApplication: 1, rolesPerUser: 1 };
  const loaded = [...itemsOf(population)];
  const written = await service.items();
  expect(loaded).toHaveLength(10);
  for (const item of loaded) {
    const own = JSON.stringify(written.get(`${item.pk} ${item.sk}`)).replace(keyId, benchKey.keyId);
    expect(withoutMoments(JSON.stringify(item))).toEqual(withoutMoments(own));
  }
});

test('the given number of users have an access, and every application has its own keys', () => {
  const population = { users: 3, accesses: 2, applications: 2, keysPerApplication: 1, rolesPerUser: 0 };
  const items = [...itemsOf(population)];
  expect(items.filter(({ sk }) => sk === 'USER')).toHaveLength(3);
  expect(items.filter(({ sk }) => String(sk).startsWith('ACCESS#'))).toHaveLength(2);
  const [first, second] = items.filter(({ sk }) => sk === 'APP').map(({ keys }) => Object.keys(Object(keys)));
  expect(first).toEqual([benchKey.keyId]);
  expect(second).toEqual([expect.stringMatching(/^svk_k1_app-0001_/)]);
});

test.each([
  [0, 1],
  [200, 5],
  [500, 12],
])('an access with %d roles takes %d read units', async (rolesPerUser, units) => {
  const population = { users: 1, accesses: 1, applications: 0, keysPerApplication: 0, rolesPerUser };
  const access = [...itemsOf(population)].find(({ sk }) => String(sk).startsWith('ACCESS#')) ?? {};
  const documents = documentClient(service.endpoint);
  await documents.send(new PutCommand({ TableName, Item: { ...access, pk: `USER#with-${rolesPerUser}` } }));
  const { ConsumedCapacity } = await documents.send(
    new GetCommand({
      TableName,
      Key: { pk: `USER#with-${rolesPerUser}`, sk: access.sk },
      ConsistentRead: true,
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
  expect(ConsumedCapacity?.CapacityUnits).toBe(units);
});

async function writeByTheService() {
  const { createApplication } = await import('#shared/domain/application/applications.ts');
  const { createUser } = await import('#shared/domain/user/users.ts');
  const { defineRole } = await import('#shared/domain/role/define-role.ts');
  const [appId, userId] = ['app-0000' as AppId, 'user-0000000' as UserId];
  await createApplication({ appId, name: 'An application' }, operator);
  await defineRole({ appId, role: 'role-000' as RoleName, description: null }, operator);
  await createUser({ userId, displayName: 'A user', email: `${userId}@example.com` }, operator);
  const { setAccess } = await import('#shared/domain/access/set-status.ts');
  await setAccess({ userId, appId, setting: { status: 'enabled', reason: null, until: null } }, operator);
  await grantRole(userId, appId, 'role-000');
  return await service.issueKey(appId, scopes);
}

/** The times differ, and therefore the MAC of the last Change, which has 22 characters. */
function withoutMoments(item: string): unknown {
  return JSON.parse(item, (name, value) => {
    if (name === 'chainHead') return String(value).length;
    return typeof value === 'string' && /^(\d{4}-\d\d-\d\dT|01[0-9A-Z]{24}$)/.test(value) ? 'a moment' : value;
  });
}
