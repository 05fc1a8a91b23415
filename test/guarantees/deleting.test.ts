import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { AppId, RoleName } from '#shared/contract/fields.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import { alterItem, putItems } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { operator } from '../support/start-service.ts';
import { accessEntryItem, accessItem, memberItem } from '../support/table-items.ts';
import { tracesOf } from '../support/traces-of.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
let operations: Awaited<ReturnType<typeof loadOperations>>;
beforeAll(async () => {
  sdk = await watchServiceTable();
  operations = await loadOperations();
});
afterEach(() => {
  sdk.fault = undefined;
});

async function loadOperations() {
  return {
    ...(await import('#shared/domain/application/applications.ts')),
    ...(await import('#shared/domain/role/define-role.ts')),
    ...(await import('#shared/domain/role/delete-role.ts')),
    ...(await import('#shared/domain/application/delete-application.ts')),
  };
}

const role = (name: string) => name as RoleName;
const member = role('member');
const create = async (roles: readonly string[]) => (await newApplication(roles)) as AppId;

describe('deleting a role', () => {
  test('deleting a role in use requires force, and revokes it from everyone, each with a change', async () => {
    const appId = await create(['member']);
    const userIds = await mapConcurrently(Array.from({ length: 60 }), () => newUser());
    for (const userId of userIds) await grantRole(userId, appId, 'member');
    await expect(operations.deleteRole({ appId, role: member, force: false }, operator)).rejects.toMatchObject({
      code: 'role_in_use',
    });
    const deletion = await operations.deleteRole({ appId, role: member, force: true }, operator);
    expect(deletion).toEqual({ changed: true, complete: true });
    const items = await service.items();
    expect([...items.keys()].filter((key) => key.startsWith(`APP#${appId}#ROLE#`))).toEqual([]);
    const revoked = [...items.values()].filter((item) => item.appId === appId && item.action === 'role.revoked');
    expect(new Set(revoked.map((item) => item.userId))).toEqual(new Set(userIds));
    for (const userId of userIds) expect(items.get(`USER#${userId} ACCESS#${appId}`)?.roles).toEqual({});
  });

  test('a role whose deletion was interrupted has no members when it is redefined', async () => {
    const appId = await create(['late']);
    const userId = await newUser();
    const late = role('late');
    await grantRole(userId, appId, 'late');
    let transactions = 0;
    sdk.fault = async ({ command }, send) => {
      if (command === 'TransactWriteItemsCommand' && ++transactions > 1) throw new Error('cut off');
      return send();
    };
    await expect(operations.deleteRole({ appId, role: late, force: true }, operator)).rejects.toThrow('cut off');
    sdk.fault = undefined;
    expect((await service.items()).get(`USER#${userId} ACCESS#${appId}`)?.roles).toHaveProperty('late');
    const defined = await operations.defineRole({ appId, role: late, description: null }, operator);
    expect(defined).toMatchObject({ created: true, changed: true, version: 3 });
    const items = await service.items();
    expect(items.get(`USER#${userId} ACCESS#${appId}`)?.roles).toEqual({});
    expect([...items.keys()].filter((key) => key.startsWith(`APP#${appId}#ROLE#`))).toEqual([]);
  });

  test('the tombstone of a deleted role stays until a sweep finds nothing', async () => {
    const appId = await create(['kept']);
    const mark = async () => (await service.items()).get(`APP#${appId} ROLE#kept`);
    sdk.fault = async ({ command, input }, send) => {
      if (command === 'QueryCommand' && JSON.stringify(input).includes('ROLE#kept')) throw new Error('cut off');
      return send();
    };
    await expect(operations.deleteRole({ appId, role: role('kept'), force: true }, operator)).rejects.toThrow(
      'cut off',
    );
    sdk.fault = undefined;
    expect(await mark()).toMatchObject({ deleting: true, swept: false });
    expect(await mark()).not.toHaveProperty('ttl');
    await operations.deleteRole({ appId, role: role('kept'), force: true }, operator);
    expect(await mark()).toMatchObject({ deleting: true, swept: true, ttl: expect.any(Number) });
  });
});

describe('deleting an application', () => {
  test('deleting an application in use requires force, and leaves only its tombstone and its history', async () => {
    const appId = await create(['member', 'guest']);
    const userIds = await mapConcurrently(Array.from({ length: 120 }), () => newUser());
    for (const userId of userIds) {
      await grantRole(userId, appId, 'member');
      await setStatus(userId, appId, 'disabled');
    }
    await expect(operations.deleteApplication({ appId, force: false }, operator)).rejects.toMatchObject({
      code: 'application_in_use',
    });
    expect(await operations.deleteApplication({ appId, force: true }, operator)).toEqual({
      changed: true,
      complete: true,
    });
    const left = (await tracesOf(service, appId)).filter((key) => !key.includes(' CHANGE#'));
    expect(left).toEqual([`APP#${appId} APP`]);
    expect(await operations.deleteApplication({ appId, force: true }, operator)).toEqual({
      changed: false,
      complete: true,
    });
    await expect(operations.createApplication({ appId, name: 'again' }, operator)).rejects.toMatchObject({
      code: 'already_exists',
    });
  });

  test('deleting an application stops its keys immediately and leaves nothing behind while signed writes continue', async () => {
    const appId = await create(['viewer']);
    const key = await service.issueKey(appId, ['access:read', 'access:write', 'roles:write']);
    const userIds = await Promise.all(Array.from({ length: 8 }, () => newUser()));
    let isStopped = false;
    const writing = userIds.map(async (userId) => {
      const assign = async () => {
        const path = `/api/service/roles/${userId}/assign`;
        const answer = await service.request(['POST', path], { key, body: { role: 'viewer' } });
        return answer.status === 200 ? 200 : answer.body.code;
      };
      const codes: unknown[] = [];
      while (!isStopped) {
        codes.push(await assign());
        await service.request(['DELETE', `/api/service/users/${userId}/revoke`], { key, body: { role: 'viewer' } });
      }
      return [...codes, await assign()];
    });
    while ((await tracesOf(service, appId)).length < 30) await service.items();
    expect(await operations.deleteApplication({ appId, force: true }, operator)).toMatchObject({ complete: true });
    isStopped = true;
    const codes = await Promise.all(writing);
    for (const seen of codes) {
      expect(seen[0]).toBe(200);
      expect(seen.at(-1)).toBe('key_revoked');
    }
    const left = (await tracesOf(service, appId)).filter((key) => !key.includes(' CHANGE#'));
    expect(left).toEqual([`APP#${appId} APP`]);
  });
});

describe('a role or application that is closed for deletion without force', () => {
  const inAMinute = () => new Date(Date.now() + 60_000).toISOString();
  const unavailable = { status: 503, body: { code: 'unavailable' }, headers: { 'retry-after': '5' } };

  test('a closed application refuses changes of access but can be read, until the closing expires', async () => {
    const appId = await create(['member']);
    const userId = await newUser();
    const key = await service.issueKey(appId, ['access:read', 'access:write', 'roles:write']);
    const access = `/api/service/users/${userId}/access`;
    const block = () => service.request(['PUT', access], { key, body: { status: 'disabled' } });
    await alterItem(service, [`APP#${appId}`, 'APP'], ['closedUntil'], inAMinute());
    expect(await block()).toMatchObject(unavailable);
    expect((await service.request(['GET', access], { key })).status).toBe(200);
    await alterItem(service, [`APP#${appId}`, 'APP'], ['closedUntil'], new Date().toISOString());
    expect((await block()).status).toBe(200);
  });

  test('a closed role cannot be assigned until the closing expires', async () => {
    const appId = await create(['member']);
    const userId = await newUser();
    await alterItem(service, [`APP#${appId}`, 'ROLE#member'], ['closedUntil'], inAMinute());
    await expect(grantRole(userId, appId, 'member')).rejects.toMatchObject({ code: 'unavailable' });
    await alterItem(service, [`APP#${appId}`, 'ROLE#member'], ['closedUntil'], new Date().toISOString());
    expect(await grantRole(userId, appId, 'member')).toMatchObject({ changed: true });
  });

  test.each(['role', 'application'])('a %s that is used while closed is not deleted and is reopened', async (kind) => {
    const appId = await create(['member']);
    const userId = await newUser();
    let isUsed = false;
    // Writes like a request that read before the closing.
    sdk.fault = async ({ command, input }, send) => {
      const answer = await send();
      if (command !== 'TransactWriteItemsCommand' || isUsed || !JSON.stringify(input).includes('closedUntil'))
        return answer;
      isUsed = true;
      const roles = { member: { grantedAt: new Date().toISOString(), expiresAt: null } };
      const items = [memberItem({ appId, role: 'member', userId }), accessEntryItem(appId, userId)];
      await putItems(service, ...items, accessItem({ appId, userId, roles }));
      return answer;
    };
    const remove = () =>
      kind === 'role'
        ? operations.deleteRole({ appId, role: member, force: false }, operator)
        : operations.deleteApplication({ appId, force: false }, operator);
    await expect(remove()).rejects.toMatchObject({ code: `${kind}_in_use` });
    expect(isUsed).toBe(true);
    const items = await service.items();
    const item = items.get(kind === 'role' ? `APP#${appId} ROLE#member` : `APP#${appId} APP`);
    expect(item).not.toHaveProperty('closedUntil');
    expect(item).not.toHaveProperty('deleting');
  });
});

describe('a deletion without force that has no time left to wait', () => {
  test.each(['role', 'application'])('of a %s answers 503, deletes nothing and reopens it', async (kind) => {
    const appId = await create(['member']);
    const { config } = await import('#shared/core/config.ts');
    const replaced = jest.replaceProperty(config(), 'settleSeconds', 30);
    const remove = () =>
      kind === 'role'
        ? operations.deleteRole({ appId, role: member, force: false }, operator)
        : operations.deleteApplication({ appId, force: false }, operator);
    await expect(remove()).rejects.toMatchObject({ code: 'unavailable' });
    replaced.restore();
    const item = (await service.items()).get(kind === 'role' ? `APP#${appId} ROLE#member` : `APP#${appId} APP`);
    expect(item).not.toHaveProperty('closedUntil');
    expect(item).not.toHaveProperty('deleting');
  });
});
