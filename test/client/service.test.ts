import { beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { changeSchemas, detailedChangeSchema } from '#shared/contract/change-details.ts';
import { userIdPattern } from '#shared/contract/fields.ts';
import { AuthServiceClient } from '../../client/index.ts';
import { awkwardUserIds } from '../support/awkward-user-ids.ts';
import { describeService } from '../support/describe-service.ts';
import { manageClient } from '../support/manage-client.ts';
import { newUser } from '../support/new-user.ts';
import { putChange } from '../support/put-change.ts';
import type { Key } from '../support/send-request.ts';
import { collect, describeClient, type ServiceUnderTest } from './describe-client.ts';

const service = describeService();
let underTest: ServiceUnderTest;
beforeAll(async () => {
  underTest = {
    options: { baseUrl: service.url, ...service.billingKey, fetch: (request) => fetch(request) },
    newUser,
    deactivate: (userId) => operate('PUT', `/users/${userId}/status`, { status: 'inactive' }),
    issueKey: (scopes) => service.issueKey('billing', scopes),
    operator: {
      setAccess: (userId, setting) => operate('PUT', `/users/${userId}/access/billing`, setting),
      assignRole: (userId, role) => operate('PUT', `/users/${userId}/roles/billing/${role}`, {}),
      revokeRole: (userId, role) => operate('DELETE', `/users/${userId}/roles/billing/${role}`),
    },
  };
});

const manage = manageClient(() => service);
async function operate(method: string, path: string, body?: object): Promise<void> {
  const { status } = await manage('iam', method, path, body && { body });
  expect([path, status < 300]).toEqual([path, true]);
}

const clientOf = (key: Key) => new AuthServiceClient({ baseUrl: service.url, timeoutSeconds: 60, ...key });

describeClient(() => underTest);

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

test('reads each change once, page by page, and continues after a cursor', async () => {
  const { createApplication } = await import('#shared/domain/application/applications.ts');
  const { operator } = await import('../support/start-service.ts');
  await createApplication({ appId: 'feed' as never, name: 'feed' }, operator);
  const feed = clientOf(await service.issueKey('feed', ['access:read']));
  const caller = { kind: 'api-key', appId: 'feed', keyId: 'svk_k1_feed_1' };
  const put = (secondsAgo: number) => putChange(service.endpoint, { secondsAgo, userId: 'ada', appId: 'feed', caller });
  const first = await Promise.all(Array.from({ length: 103 }, (_, index) => put(600 - index)));

  const pages = await collect(feed.changes());
  const items = pages.flatMap((page) => page.items);
  // A page of changes without numbers ends between two users where it can, so it may be shorter than a hundred.
  expect(pages.length).toBeGreaterThan(1);
  expect(Math.max(...pages.map((page) => page.items.length))).toBeLessThanOrEqual(100);
  // The others are the creation of the application and of its key, and changes of users.
  expect(items.filter(({ action }) => action === 'access.changed').sort(byId)).toEqual(first);
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);

  const later = await put(0);
  // Changes without a number yet come again before it.
  const next = await collect(feed.changes({ after: pages.at(-1)?.cursor }));
  expect(next.flatMap((page) => page.items)).toContainEqual(later);
  const again = await collect(feed.changes({ after: pages[0]?.cursor }));
  const left = first.filter(({ id }) => pages[0]?.items.every((one) => one.id !== id));
  expect(again.flatMap((page) => page.items)).toEqual(expect.arrayContaining([...left, later]));
});

test('each change that an application reads matches the type of its action', async () => {
  const [userId, erasedId] = [await newUser(), await newUser()];
  const steps: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['POST', '/applications', { appId: 'typed', name: 'Typed' }],
    ['PATCH', '/applications/typed', { name: 'Renamed' }],
    ['POST', '/applications/typed/reviews', { asOf: new Date().toISOString() }],
    ['PUT', '/applications/typed/roles/editor', { description: 'edits' }],
    ['PUT', `/users/${userId}/access/typed`, { status: 'disabled', reason: 'unpaid' }],
    ['PUT', `/users/${userId}/roles/typed/editor`, {}],
    ['DELETE', `/users/${userId}/roles/typed/editor`],
    ['DELETE', '/applications/typed/roles/editor'],
    ['PUT', `/users/${userId}/status`, { status: 'inactive', reason: 'left' }],
    ['DELETE', `/users/${erasedId}`],
    ['PUT', `/users/${erasedId}`, {}],
    [
      'POST',
      '/applications/typed/webhooks',
      { webhookId: 'backend', url: 'https://typed.example.com', enabled: false },
    ],
    ['PATCH', '/applications/typed/webhooks/backend', { events: ['access.changed'] }],
    ['POST', '/applications/typed/webhooks/backend/rotate', { overlap: 'PT1H' }],
    ['DELETE', '/applications/typed/webhooks/backend'],
    ['PUT', '/applications/typed/login', { clientType: 'confidential', redirectUris: ['https://typed.example.com/'] }],
  ];
  for (const step of steps) await operate(...step);
  await operate('DELETE', '/applications/typed/login');
  const { keyId } = await service.issueKey('typed', ['access:read']);
  await operate('PATCH', `/applications/typed/keys/${keyId}`, { label: 'Backend' });
  await operate('POST', `/applications/typed/keys/${keyId}/rotate`, { overlap: 'PT1H' });
  await operate('DELETE', `/applications/typed/keys/${keyId}`);

  const pages = await collect(clientOf(await service.issueKey('typed', ['access:read'])).changes());
  const changes = pages.flatMap(({ items }) => items);
  const failures = changes.map((change) =>
    v.safeParse(detailedChangeSchema, change).issues?.map((issue) => issue.message),
  );
  expect(failures.filter(Boolean)).toEqual([]);
  const actions = Object.values(changeSchemas).flatMap(({ entries }) => entries.action.options);
  // A deleted application can no longer read, and a secret takes a client of the login's provider.
  const readable = actions.filter((action) => action !== 'application.deleted' && action !== 'login.secret.added');
  expect(readable.filter((action) => !changes.some((change) => change.action === action))).toEqual([]);
});

test('accepts the user ids that the contract allows', () => {
  expect(awkwardUserIds.every((id) => userIdPattern.test(id))).toBe(true);
});
