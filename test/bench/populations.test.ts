import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AppId, ConnectionId, RoleName, UserId, WebhookId } from '#shared/contract/fields.ts';
import { scopes } from '#shared/contract/operation.ts';
import type { WebhookFormat } from '#shared/contract/webhook-fields.ts';
import { groupId } from '../../bench/connected-items.ts';
import { benchKey, itemsOf } from '../../bench/populations.ts';
import { documentClient } from '../support/document-client.ts';
import { grantRole } from '../support/new-application.ts';
import { newConnection } from '../support/new-connection.ts';
import { newDirectory } from '../support/new-directory.ts';
import { operator, startSources, type TestService } from '../support/start-service.ts';

const TableName = process.env.TABLE_NAME ?? '';

let service: TestService;
beforeAll(async () => {
  service = await startSources();
});
afterAll(() => service.stop());

test('the loaded items equal the items that the service writes', async () => {
  const ids = await writeByTheService();
  const population = { users: 1, accesses: 1, applications: 1, keysPerApplication: 1, rolesPerUser: 1 };
  const loaded = [...itemsOf({ ...population, connected: true, receivers })];
  const written = JSON.stringify([...(await service.items())]);
  const own = new Map<string, object>(JSON.parse(withTheIdsOfTheBench(written, ids)));
  expect(loaded).toHaveLength(20);
  for (const item of loaded) {
    const { pk, sk } = item;
    expect([pk, sk, withoutMoments(item)]).toEqual([pk, sk, withoutMoments(own.get(`${pk} ${sk}`))]);
  }
});

test('without connections and webhooks there are only users, applications and what is between them', () => {
  const population = { users: 1, accesses: 1, applications: 1, keysPerApplication: 1, rolesPerUser: 1 };
  expect([...itemsOf(population)]).toHaveLength(10);
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

const receivers = { standard: 'http://127.0.0.1:4000/', set: 'http://127.0.0.1:4001/' };

/** Returns the ids that the service has created. */
async function writeByTheService() {
  const { createApplication } = await import('#shared/domain/application/applications.ts');
  const { defineRole } = await import('#shared/domain/role/define-role.ts');
  const [appId, role] = ['app-0000' as AppId, 'role-000' as RoleName];
  await createApplication({ appId, name: 'An application' }, operator);
  await defineRole({ appId, role, description: null }, operator);
  const { keyId } = await service.issueKey(appId, scopes);
  const connected = await connectByTheService(appId, role);
  const { setAccess } = await import('#shared/domain/access/set-status.ts');
  const userId = 'user-0000000' as UserId;
  await setAccess({ userId, appId, setting: { status: 'enabled', reason: null, until: null } }, operator);
  await grantRole(userId, appId, role);
  const { createWebhook } = await import('#options/webhooks/server/webhooks.ts');
  Object.assign(process.env, { WEBHOOK_FORMATS: 'standard,set', WEBHOOK_LOOPBACK: 'allowed' });
  for (const [format, url] of Object.entries(receivers)) {
    const webhook = { webhookId: format as WebhookId, format: format as WebhookFormat, url, events: null };
    await createWebhook({ appId, ...webhook }, operator);
  }
  return { [keyId]: benchKey.keyId, ...connected };
}

async function connectByTheService(appId: AppId, role: RoleName) {
  const { createDirectoryGroup } = await import('#shared/domain/scim/change-directory-group.ts');
  const { provisionUser } = await import('#shared/domain/scim/provision-user.ts');
  const settings = { applications: [appId], groupRoles: [{ group: 'Staff', appId, role }] };
  const context = await newDirectory({ connectionId: 'directory' as ConnectionId, ...settings });
  const gateway = await newConnection([appId], 'gateway', { identity: { trustsUserHeader: true } });
  const attributes = { displayName: 'A user', emails: [{ value: 'user-0000000@example.com' }] };
  await provisionUser({ userName: 'user-0000000', externalId: null, active: true, attributes }, context);
  const group = await createDirectoryGroup({ displayName: 'Staff', externalId: null, members: [] }, context);
  const zeros = (id: string) => id.replace(/[^_]{26}$/, '0'.repeat(26));
  const { keyId } = context.caller;
  return { [keyId]: zeros(keyId), [gateway.keyId]: zeros(gateway.keyId), [group.id]: groupId };
}

function withTheIdsOfTheBench(text: string, ids: Readonly<Record<string, string>>): string {
  return Object.entries(ids).reduce((result, [own, ofBench]) => result.replaceAll(own, ofBench), text);
}

/** The times differ, and therefore the ids with times, and the MAC of the last Change, which has 22 characters. */
function withoutMoments(item: unknown): unknown {
  return JSON.parse(JSON.stringify(item), (name, value) => {
    if (name === 'chainHead') return String(value).length;
    return typeof value === 'string' && /^(\d{4}-\d\d-\d\dT|(k1_)?0[0-9A-Z]{25}$)/.test(value) ? 'a moment' : value;
  });
}
