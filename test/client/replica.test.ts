import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { AppId, KeyId, UserId } from '#shared/contract/fields.ts';
import { AuthServiceClient } from '../../client/index.ts';
import type { AccessReplica, AccessReplicaOptions } from '../../client/replica.ts';
import { eventually } from '../support/eventually.ts';
import { newUser, newUsers } from '../support/new-user.ts';
import type { Key } from '../support/send-request.ts';
import { operator, startBundles, type TestService } from '../support/start-service.ts';
import { watchReplica } from './watch-replica.ts';

let service: TestService;
let client: AuthServiceClient;
beforeAll(async () => {
  service = await startBundles();
  client = clientOf(service.billingKey);
});
afterAll(() => service.stop());

const open: AccessReplica[] = [];
afterEach(async () => {
  for (const replica of open.splice(0)) await replica.close();
});

const clientOf = (key: Key) => new AuthServiceClient({ baseUrl: service.url, ...key, timeoutSeconds: 60 });

async function openReplica(options: Partial<AccessReplicaOptions> = {}) {
  const watched = await watchReplica({ client, pollSeconds: 1, ...options });
  open.push(watched.replica);
  return watched;
}

/** The service's answer in the form of a replica's decision. */
async function ofService(userId: string) {
  const { effectiveStatus, decidedBy, roles } = await client.getAccess(userId);
  return { userId, effectiveStatus, decidedBy, roles, code: null };
}

function ofReplica(replica: AccessReplica, userId: string) {
  const { ageSeconds, ...decision } = replica.check(userId);
  return decision;
}

/** Waits until the replica agrees with the service, and fails if it never does. */
async function expectSame(replica: AccessReplica, userId: string): Promise<void> {
  const expected = await ofService(userId);
  const same = (answer: object) => JSON.stringify(answer) === JSON.stringify(expected);
  expect(await eventually(async () => ofReplica(replica, userId), same)).toEqual(expected);
}

async function erase(userId: string): Promise<void> {
  const { deleteUser } = await import('#shared/domain/user/delete-user.ts');
  await deleteUser({ userId: userId as UserId }, operator);
}

async function deactivate(userId: string): Promise<void> {
  const { setUserStatus } = await import('#shared/domain/user/users.ts');
  await setUserStatus({ userId: userId as UserId, status: 'inactive', reason: null }, operator);
}

async function rollOut(rolloutPercent: number): Promise<void> {
  const { updateApplication } = await import('#shared/domain/application/applications.ts');
  await updateApplication({ appId: 'billing' as AppId, rolloutPercent }, operator);
}

async function revoke({ keyId }: Key): Promise<void> {
  const { revokeKey } = await import('#shared/domain/api-key/manage-keys.ts');
  await revokeKey({ appId: 'billing' as AppId, keyId: keyId as KeyId }, operator);
}

describe('a replica of the local service', () => {
  test('loads blocks, roles with and without an expiry, inactive users and defaults', async () => {
    const [blocked, member, inactive, untouched] = await Promise.all([newUser(), newUser(), newUser(), newUser()]);
    await client.setAccess(blocked, { status: 'disabled', until: new Date(Date.now() + 3_600_000) });
    await client.assignRole(member, 'viewer');
    await client.assignRole(member, { role: 'constructor', expiresAt: new Date(Date.now() + 3_600_000) });
    await client.assignRole(inactive, 'editor');
    await deactivate(inactive);

    const { replica, changes } = await openReplica();
    for (const userId of [blocked, member, inactive, untouched])
      expect(ofReplica(replica, userId)).toEqual(await ofService(userId));
    expect(ofReplica(replica, member)).toMatchObject({ roles: [{ name: 'constructor' }, { name: 'viewer' }] });
    expect(replica.check(untouched).ageSeconds).toBeLessThan(30);
    expect(changes).toEqual([]);
  });

  test('applies a block, and reports the changed user once', async () => {
    const userId = await newUser();
    const { replica, changes } = await openReplica();
    expect(replica.check(userId).effectiveStatus).toBe('enabled');
    await client.setAccess(userId, { status: 'disabled' });
    const decided = await eventually(
      async () => replica.check(userId),
      ({ effectiveStatus }) => effectiveStatus === 'disabled',
    );
    expect(decided).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'explicit' });
    // The change is repeated for a while, but reported only once.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(changes).toEqual([{ all: false, userIds: [userId] }]);
  });

  test('follows roles, the global status, an erasure and a recreated user', async () => {
    const userId = await newUser();
    const { replica } = await openReplica();
    await client.assignRole(userId, 'viewer');
    await client.assignRole(userId, 'editor');
    await client.revokeRole(userId, 'viewer');
    await client.setAccess(userId, { status: 'enabled' });
    await expectSame(replica, userId);
    await deactivate(userId);
    await expectSame(replica, userId);
    await erase(userId);
    const isErased = ({ code }: { code: string | null }) => code === 'user_not_found';
    expect((await eventually(async () => replica.check(userId), isErased)).effectiveStatus).toBe('disabled');
    await newUser(userId);
    await expectSame(replica, userId);
    expect(replica.check(userId)).toMatchObject({ effectiveStatus: 'enabled', decidedBy: 'default', roles: [] });
  });

  test('knows users who were erased before it was loaded, and decides about no invalid id', async () => {
    const userId = await newUser();
    await client.setAccess(userId, { status: 'enabled' });
    await erase(userId);
    const { replica } = await openReplica();
    for (const id of [userId, '', '..', 'a b', 'x'.repeat(129), undefined as never])
      expect(replica.check(id)).toMatchObject({ effectiveStatus: 'disabled', decidedBy: null, code: 'user_not_found' });
  });

  test('decides by the rollout, and reports all users when it changes', async () => {
    const userIds = await newUsers(12);
    const { replica, changes } = await openReplica();
    await rollOut(50);
    try {
      for (const userId of userIds) await expectSame(replica, userId);
      expect(new Set(userIds.map((userId) => replica.check(userId).effectiveStatus)).size).toBe(2);
      expect(changes).toEqual([{ all: true }]);
      expect(ofReplica((await openReplica()).replica, 'ada')).toEqual(await ofService('ada'));
    } finally {
      await rollOut(100);
    }
  });

  test('fails immediately if the key is revoked at its start, and keeps polling if it is revoked later', async () => {
    const key = await service.issueKey('billing', ['access:read']);
    const { replica, failures } = await openReplica({
      client: clientOf(key),
      maxStalenessSeconds: 2,
      whenStale: 'goOn',
    });
    await revoke(key);
    await eventually(
      async () => replica.check('ada'),
      ({ code }) => code === 'key_refused',
    );
    expect(replica.check('ada')).toMatchObject({ effectiveStatus: 'disabled', code: 'key_refused' });
    const count = failures.length;
    await eventually(
      async () => failures.length,
      (length) => length > count,
    );
    expect(failures.at(-1)).toMatchObject({ during: 'poll', error: { code: 'key_revoked', status: 401 } });
    await expect(openReplica({ client: clientOf(key) })).rejects.toMatchObject({ code: 'key_revoked' });
    const writer = await service.issueKey('billing', ['access:write']);
    await expect(openReplica({ client: clientOf(writer) })).rejects.toMatchObject({ code: 'scope_missing' });
  });

  test('asks the service if it may and its data is too old', async () => {
    const [blocked, unknown] = [await newUser(), 'nobody-at-all'];
    const { replica } = await openReplica({ maxStalenessSeconds: 0.5, pollSeconds: 3 });
    await client.setAccess(blocked, { status: 'disabled' });
    await eventually(
      async () => replica.check(blocked),
      ({ code }) => code === 'stale',
    );
    expect(await replica.checkOrAsk(blocked)).toEqual({ ...(await ofService(blocked)), ageSeconds: 0 });
    expect(await replica.checkOrAsk(unknown)).toMatchObject({ effectiveStatus: 'disabled', code: 'user_not_found' });
    expect(await replica.checkOrAsk('no id')).toMatchObject({ effectiveStatus: 'disabled', code: 'user_not_found' });
  });

  test('stops reading once it is closed', async () => {
    const { replica, failures } = await openReplica();
    await replica.synchronized;
    await Promise.all([replica.close(), replica.close()]);
    const { ageSeconds } = replica;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(replica.ageSeconds).toBeGreaterThan(ageSeconds + 1);
    expect(failures).toEqual([]);
  });
});
