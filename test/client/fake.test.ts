import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { snapshotPageSchema } from '#shared/contract/access-snapshot-answers.ts';
import { detailedChangeSchema } from '#shared/contract/change-details.ts';
import { AuthServiceClient, signRequest } from '../../client/index.ts';
import { createAccessReplica, type ReplicaChange } from '../../client/replica.ts';
import type { FakeAuthService } from '../../client/testing.ts';
import { awkwardUserIds } from '../support/awkward-user-ids.ts';
import { eventually } from '../support/eventually.ts';
import { buildFake } from './built-fake.ts';
import { errorOf, withoutJitter } from './client-fixture.ts';
import { collect, describeClient } from './describe-client.ts';

const { createFakeAuthService } = await buildFake();
const fake = await createFakeAuthService({ users: ['ada', 'grace', ...awkwardUserIds], roles: ['viewer', 'editor'] });
let created = 0;

describeClient(() => ({
  options: fake.options,
  newUser: async (userId = `user-${++created}`) => {
    await fake.createUser(userId);
    return userId;
  },
  deactivate: (userId) => fake.setUserStatus(userId, 'inactive'),
  issueKey: fake.issueKey,
  operator: fake,
}));

const start = async () => {
  const service = await createFakeAuthService({ users: ['ada', 'zoe'], roles: ['editor'] });
  return { service, client: new AuthServiceClient(service.options) };
};

/** Blocks Ada and lets Zoe edit, for an hour. */
async function startForAnHour() {
  const { service, client } = await start();
  const inAnHour = new Date(service.now().getTime() + 3_600_000);
  await service.setAccess('ada', { status: 'disabled', until: inAnHour });
  await service.assignRole('zoe', { role: 'editor', expiresAt: inAnHour });
  return { service, client };
}

describe('the clock', () => {
  test('expires blocks and grants when a test advances it, and keeps signatures valid', async () => {
    const { service, client } = await startForAnHour();
    const read = async () => [await client.getAccess('ada'), await client.getAccess('zoe')];
    expect(await read()).toMatchObject([{ decidedBy: 'explicit' }, { roles: [{ name: 'editor' }] }]);
    service.advance(3600);
    expect(await read()).toMatchObject([{ decidedBy: 'lapsed', effectiveStatus: 'enabled' }, { roles: [] }]);
    const { updatedAt } = await client.setAccess('ada', { status: 'disabled' });
    expect(service.now().getTime() - Date.parse(updatedAt ?? '')).toBeLessThan(60_000);
  });

  test('applies to a replica too, which continues to follow changes', async () => {
    const { service, client } = await startForAnHour();
    const told: string[] = [];
    const onChange = ({ userIds = [] }: ReplicaChange) => told.push(...userIds);
    await using replica = await createAccessReplica({ client, pollSeconds: 0.3, onChange });
    const read = () => [replica.check('ada'), replica.check('zoe')];
    expect(read()).toMatchObject([{ effectiveStatus: 'disabled' }, { roles: [{ name: 'editor' }] }]);
    service.advance(3600);
    expect(read()).toMatchObject([
      { effectiveStatus: 'enabled', decidedBy: 'lapsed' },
      { roles: [], code: null },
    ]);
    await eventually(
      async () => told,
      ({ length }) => length >= 2,
    );
    expect(told.sort()).toEqual(['ada', 'zoe']);
    await service.setAccess('zoe', { status: 'disabled' });
    const decidedBy = await eventually(
      async () => replica.check('zoe').decidedBy,
      (value) => value === 'explicit',
    );
    expect(decidedBy).toBe('explicit');
  });

  test('expires an earlier signature', async () => {
    const { service } = await start();
    const request = new Request(`${service.options.baseUrl}/api/service/users/ada/access`);
    const signed = await signRequest(request, service.options);
    service.advance(301);
    expect(await (await service.fetch(signed)).json()).toMatchObject({ code: 'clock_skew' });
    const created = service.now().getTime() / 1000;
    const again = await service.fetch(await signRequest(request, service.options, { created }));
    expect(again.status).toBe(200);
  });

  test('forgets an erased user after a month', async () => {
    const { service } = await start();
    await service.deleteUser('ada');
    const erased = async () => (await read(service, 'access')).items;
    expect(await erased()).toMatchObject([{ kind: 'erased', userId: 'ada' }]);
    service.advance(31 * 86_400);
    expect(await erased()).toEqual([]);
  });
});

test('two fakes share no user, key or clock', async () => {
  const [one, other] = [await start(), await start()];
  await one.service.setAccess('ada', { status: 'disabled' });
  one.service.advance(86_400);
  expect(await other.client.isAllowed('ada')).toBe(true);
  expect(other.service.now().getTime() - Date.now()).toBeLessThan(1000);
  const { keyId, secret } = one.service.options;
  const strange = new AuthServiceClient({ ...other.service.options, keyId, secret });
  expect((await errorOf(strange.isAllowed('ada'))).code).toBe('signature_mismatch');
});

test('rejects the arguments that the service rejects', async () => {
  const { service } = await start();
  const refused = (call: Promise<void>, code: string) => expect(call).rejects.toMatchObject({ code });
  await refused(service.createUser('ada'), 'already_exists');
  await refused(service.createUser('no user id'), 'invalid_request');
  await refused(service.assignRole('ada', 'unknown'), 'role_not_found');
  await refused(service.setAccess('nobody', { status: 'disabled' }), 'user_not_found');
  await refused(service.setAccess('ada', { status: 'disabled', until: '2027-02-30T00:00:00Z' }), 'invalid_request');
  await refused(service.setAccess('ada', { status: 'disabled', until: new Date(0) }), 'invalid_request');
});

describe('failures', () => {
  test.each([
    ['no answer', 'no_answer', undefined],
    [{ status: 502 }, 'unavailable', 502],
    [{ code: 'internal' }, 'internal', 500],
    [{ code: 'too_many_requests', retryAfterSeconds: 60 }, 'too_many_requests', 429],
  ] as const)('%o fails every request until the service recovers', async (failure, code, status) => {
    withoutJitter();
    const { service, client } = await start();
    service.fail(failure);
    const error = await errorOf(client.isAllowed('ada'));
    expect([error.code, error.status]).toEqual([code, status]);
    service.recover();
    expect(await client.isAllowed('ada')).toBe(true);
  });

  test('occur as often as requested, and are listed in requests', async () => {
    withoutJitter();
    const { service, client } = await start();
    service.fail({ code: 'unavailable', retryAfterSeconds: 0 }, { times: 2 });
    expect(await client.isAllowed('ada')).toBe(true);
    expect(service.requests.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(service.requests[0]).toMatchObject({ method: 'GET', path: '/api/service/users/ada/access' });
  });

  test('a write with a lost response takes effect once', async () => {
    withoutJitter();
    const { service, client } = await start();
    service.fail('lost answer', { times: 1 });
    expect(await client.setAccess('ada', { status: 'disabled' })).toMatchObject({ changed: true, version: 1 });
    expect((await service.getAccess('ada')).version).toBe(1);
  });

  test('a hanging service causes a timeout', async () => {
    const { service } = await start();
    const impatient = new AuthServiceClient({ ...service.options, timeoutSeconds: 0.4 });
    service.fail('hang');
    expect(await errorOf(impatient.isAllowed('ada'))).toMatchObject({ code: 'no_answer', cause: 'time-out' });
  });

  test('a revoked key is rejected', async () => {
    const { service, client } = await start();
    await service.revokeKey(service.options.keyId);
    expect(await errorOf(client.isAllowed('ada'))).toMatchObject({ code: 'key_revoked', status: 401 });
  });
});

test("a rollout decides about users without an explicit status, with the service's hash", async () => {
  const { service, client } = await start();
  await service.setRollout(26);
  // The buckets of crm:ada and others are in examples/rollout-vectors.json.
  const crm = await createFakeAuthService({ appId: 'crm', users: ['ada', 'zoe'], rolloutPercent: 30 });
  const both = await new AuthServiceClient(crm.options).checkAccess(['ada', 'zoe']);
  expect(both).toMatchObject([
    { decidedBy: 'rollout', effectiveStatus: 'enabled' },
    { decidedBy: 'rollout', effectiveStatus: 'disabled' },
  ]);
  await service.setAccess('zoe', { status: 'enabled' });
  expect(await client.getAccess('zoe')).toMatchObject({ decidedBy: 'explicit', effectiveStatus: 'enabled' });
});

/** The changes that a consumer of the feed reads. */
async function read(service: FakeAuthService, path: string) {
  const request = new Request(`${service.options.baseUrl}/api/service/${path}`);
  const signed = await signRequest(request, service.options, { created: service.now().getTime() / 1000 });
  return (await service.fetch(signed)).json() as Promise<Record<string, never>>;
}

describe('what a replica reads', () => {
  async function startUsed() {
    const { service, client } = await start();
    for (const id of ['bob', 'eve', 'max']) await service.createUser(id);
    await service.setAccess('ada', { status: 'disabled', reason: 'unpaid' });
    await service.assignRole('bob', 'editor');
    await service.setUserStatus('eve', 'inactive');
    await service.deleteUser('max');
    return { service, client };
  }

  test('the snapshot matches the contract, and its pages have the same changesCursor', async () => {
    const { service, client } = await startUsed();
    const whole = v.parse(snapshotPageSchema, await read(service, 'access'));
    expect(whole).toMatchObject({ cursor: null, total: 4, rolloutPercent: 100 });
    expect(whole.items.map(({ kind, userId }) => [kind, userId])).toEqual([
      ['erased', 'max'],
      ['inactive', 'eve'],
      ['access', 'ada'],
      ['access', 'bob'],
    ]);
    const first = v.parse(snapshotPageSchema, await read(service, 'access?limit=3'));
    await service.setAccess('zoe', { status: 'disabled' });
    const second = v.parse(snapshotPageSchema, await read(service, `access?limit=3&after=${first.cursor}`));
    expect([first.total, second.changesCursor]).toEqual([null, first.changesCursor]);
    const [page] = await collect(client.changes({ after: first.changesCursor }));
    expect(page?.items).toMatchObject([{ action: 'access.changed', userId: 'zoe' }]);
  });

  test('each change matches the type of its action, and ids rise', async () => {
    const { service, client } = await startUsed();
    await service.revokeRole('bob', 'editor');
    await service.createUser('max');
    await service.setRollout(50);
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
        'application.created',
        'application.updated',
        'key.issued',
      ]),
    );
    const ids = changes.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  test('a cursor is never null, and expires when the test requests it', async () => {
    const { service, client } = await start();
    const { cursor } = await read(service, 'changes');
    expect(cursor).toMatch(/./);
    service.expireCursors();
    expect(await errorOf(client.changes({ after: cursor }).next())).toMatchObject({
      code: 'cursor_expired',
      status: 410,
    });
  });
});
