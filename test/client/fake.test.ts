import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { snapshotPageSchema } from '#shared/contract/access-snapshot.ts';
import { detailedChangeSchema } from '#shared/contract/change-details.ts';
import { AuthServiceClient, signRequest } from '../../client/index.ts';
import { createFakeAuthService, type FakeAuthService } from '../../client/testing.ts';
import { awkwardUserIds } from '../support/awkward-user-ids.ts';
import { errorOf, withoutJitter } from './client-fixture.ts';
import { collect, describeClient } from './describe-client.ts';

const fake = createFakeAuthService({ users: ['ada', 'grace', ...awkwardUserIds], roles: ['viewer', 'editor'] });
let created = 0;

describeClient(() => ({
  options: fake.options,
  newUser: async (userId = `user-${++created}`) => {
    fake.createUser(userId);
    return userId;
  },
  deactivate: async (userId) => fake.setUserStatus(userId, 'inactive'),
  issueKey: async (scopes) => fake.issueKey(scopes),
  operator: {
    setAccess: async (userId, setting) => fake.setAccess(userId, setting),
    assignRole: async (userId, role) => fake.assignRole(userId, role),
    revokeRole: async (userId, role) => fake.revokeRole(userId, role),
  },
}));

const start = () => {
  const service = createFakeAuthService({ users: ['ada', 'zoe'], roles: ['editor'] });
  return { service, client: new AuthServiceClient(service.options) };
};

describe('the clock', () => {
  test('ends blocks and grants when a test moves it, and leaves signatures valid', async () => {
    const { service, client } = start();
    const inAnHour = new Date(service.now().getTime() + 3_600_000);
    service.setAccess('ada', { status: 'disabled', until: inAnHour });
    service.assignRole('ada', { role: 'editor', expiresAt: inAnHour });
    expect(await client.getAccess('ada')).toMatchObject({ decidedBy: 'explicit', roles: [{ name: 'editor' }] });
    service.advance(3600);
    expect(await client.getAccess('ada')).toMatchObject({ decidedBy: 'lapsed', effectiveStatus: 'enabled', roles: [] });
  });
});

describe('failures', () => {
  test.each([
    ['no answer', 'no_answer', undefined],
    [{ status: 502 }, 'unavailable', 502],
    [{ code: 'internal' }, 'internal', 500],
    [{ code: 'too_many_requests', retryAfterSeconds: 60 }, 'too_many_requests', 429],
  ] as const)('%o fails every request until the service recovers', async (failure, code, status) => {
    withoutJitter();
    const { service, client } = start();
    service.fail(failure);
    const error = await errorOf(client.isAllowed('ada'));
    expect([error.code, error.status]).toEqual([code, status]);
    service.recover();
    expect(await client.isAllowed('ada')).toBe(true);
  });

  test('are as many as the test asks for, and requests tells of all', async () => {
    withoutJitter();
    const { service, client } = start();
    service.fail({ code: 'unavailable' }, { times: 2 });
    expect(await client.isAllowed('ada')).toBe(true);
    expect(service.requests.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(service.requests[0]).toMatchObject({ method: 'GET', path: '/api/service/users/ada/access' });
  });

  test('a write whose answer is lost takes effect once', async () => {
    withoutJitter();
    const { service, client } = start();
    service.fail('lost answer', { times: 1 });
    expect(await client.setAccess('ada', { status: 'disabled' })).toMatchObject({ changed: true, version: 1 });
    expect(service.getAccess('ada').version).toBe(1);
  });

  test('a service that hangs is a time-out', async () => {
    const { service } = start();
    const impatient = new AuthServiceClient({ ...service.options, timeoutSeconds: 0.4 });
    service.fail('hang');
    expect(await errorOf(impatient.isAllowed('ada'))).toMatchObject({ code: 'no_answer', cause: 'time-out' });
  });

  test('a revoked key is refused', async () => {
    const { service, client } = start();
    service.revokeKey(service.options.keyId);
    expect(await errorOf(client.isAllowed('ada'))).toMatchObject({ code: 'key_revoked', status: 401 });
  });
});

test('a rollout decides about users without an explicit status, by the hash of the service', async () => {
  const { service, client } = start();
  service.setRollout(26);
  // The buckets of crm:ada and others are in examples/rollout-vectors.json.
  const crm = createFakeAuthService({ appId: 'crm', users: ['ada', 'zoe'], rolloutPercent: 30 });
  const both = await new AuthServiceClient(crm.options).checkAccess(['ada', 'zoe']);
  expect(both).toMatchObject([
    { decidedBy: 'rollout', effectiveStatus: 'enabled' },
    { decidedBy: 'rollout', effectiveStatus: 'disabled' },
  ]);
  service.setAccess('zoe', { status: 'enabled' });
  expect(await client.getAccess('zoe')).toMatchObject({ decidedBy: 'explicit', effectiveStatus: 'enabled' });
});

/** What a consumer of the feed reads of this service. */
async function read(service: FakeAuthService, path: string) {
  const request = new Request(`${service.options.baseUrl}/api/service/${path}`);
  return (await service.fetch(await signRequest(request, service.options))).json() as Promise<Record<string, never>>;
}

describe('what a replica reads', () => {
  function startUsed() {
    const { service, client } = start();
    for (const id of ['bob', 'eve', 'max']) service.createUser(id);
    service.setAccess('ada', { status: 'disabled', reason: 'unpaid' });
    service.assignRole('bob', 'editor');
    service.setUserStatus('eve', 'inactive');
    service.deleteUser('max');
    return { service, client };
  }

  test('the snapshot is as the contract says, in pages with the same cursor of the changes', async () => {
    const { service, client } = startUsed();
    const whole = v.parse(snapshotPageSchema, await read(service, 'access'));
    expect(whole).toMatchObject({ cursor: null, total: 4, rolloutPercent: 100 });
    expect(whole.items.map(({ kind, userId }) => [kind, userId])).toEqual([
      ['access', 'ada'],
      ['access', 'bob'],
      ['inactive', 'eve'],
      ['erased', 'max'],
    ]);
    const first = v.parse(snapshotPageSchema, await read(service, 'access?limit=3'));
    service.setAccess('zoe', { status: 'disabled' });
    const second = v.parse(snapshotPageSchema, await read(service, `access?limit=3&after=${first.cursor}`));
    expect([first.total, second.changesCursor]).toEqual([null, first.changesCursor]);
    const [page] = await collect(client.changes({ after: first.changesCursor }));
    expect(page?.items).toMatchObject([{ action: 'access.changed', userId: 'zoe' }]);
  });

  test('each change is as the type of its action says, and their ids rise', async () => {
    const { service, client } = startUsed();
    service.revokeRole('bob', 'editor');
    service.createUser('max');
    service.setRollout(50);
    const changes = (await collect(client.changes())).flatMap(({ items }) => items);
    for (const change of changes) v.parse(detailedChangeSchema, change);
    expect(new Set(changes.map(({ action }) => action))).toEqual(
      new Set([
        'access.changed',
        'role.assigned',
        'role.revoked',
        'role.defined',
        'user.status.changed',
        'user.deleted',
        'user.created',
        'application.updated',
      ]),
    );
    const ids = changes.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  test('a cursor never is null, and expires when the test says so', async () => {
    const { service, client } = start();
    const { cursor } = await read(service, 'changes');
    expect(cursor).toMatch(/./);
    service.expireCursors();
    expect(await errorOf(client.changes({ after: cursor }).next())).toMatchObject({
      code: 'cursor_expired',
      status: 410,
    });
  });
});
