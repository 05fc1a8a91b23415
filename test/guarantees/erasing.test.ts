import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { createUlid } from '#shared/core/ids.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import { alterItem, putItems } from '../support/alter-item.ts';
import { operator, startSources, type TestService } from '../support/start-service.ts';
import { accessEntryItem, accessItem, memberItem } from '../support/table-items.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

let service: TestService;
let sdk: WatchedSdk;
let operations: Awaited<ReturnType<typeof loadOperations>>;
beforeAll(async () => {
  service = await startSources();
  sdk = await watchServiceTable();
  operations = await loadOperations();
});
afterAll(() => service.stop());
afterEach(() => {
  sdk.fault = undefined;
  jest.useRealTimers();
});

async function loadOperations() {
  return {
    ...(await import('#shared/domain/application/applications.ts')),
    ...(await import('#shared/domain/user/users.ts')),
    ...(await import('#shared/domain/role/define-role.ts')),
    ...(await import('#shared/domain/role/grant-role.ts')),
    ...(await import('#shared/domain/access/set-status.ts')),
    ...(await import('#shared/domain/user/delete-user.ts')),
    ...(await import('#shared/domain/history/list-history.ts')),
    ...(await import('#shared/domain/role/delete-role.ts')),
    ...(await import('#shared/domain/application/delete-application.ts')),
  };
}

let count = 0;
const billing = 'billing' as AppId;
const editor = 'editor' as RoleName;
const role = (name: string) => name as RoleName;

async function newUser(): Promise<UserId> {
  const userId = `erased-${++count}` as UserId;
  await operations.createUser({ userId, displayName: null, email: 'somebody@example.com' }, operator);
  return userId;
}

async function newApplication(roles: readonly string[]): Promise<AppId> {
  const appId = `app-${++count}` as AppId;
  await operations.createApplication({ appId, name: 'soon gone' }, operator);
  for (const name of roles) await operations.defineRole({ appId, role: role(name), description: null }, operator);
  return appId;
}

const assign = (userId: UserId, appId: AppId, name: RoleName) =>
  operations.assignRole({ userId, appId, grant: { role: name, expiresAt: null } }, operator);

/**
 * Returns the keys of all items that contain the id, except nonces, which name no user, and records of erased users.
 */
async function tracesOf(id: string): Promise<string[]> {
  const items = [...(await service.items({ keyUses: true })).entries()].filter(
    ([key]) => !key.startsWith('NONCE#') && !key.includes('CHANGE#ERASED#'),
  );
  return items
    .filter(([, item]) => JSON.stringify(item).includes(`${id}"`) || JSON.stringify(item).includes(`${id}#`))
    .map(([key]) => key);
}

/** Sends signed writes for a user, one after the other, until the returned function is called. */
function keepWriting(userId: UserId): () => Promise<number> {
  let isStopped = false;
  const statuses: number[] = [];
  const write = async (method: string, target: string, body: object) => {
    statuses.push((await service.request([method, target], { body })).status);
  };
  const writing = (async () => {
    for (let n = 0; !isStopped; n++) {
      await write('PUT', `/api/service/users/${userId}/access`, { status: 'disabled', reason: `${n}` });
      await write('POST', `/api/service/roles/${userId}/assign`, { role: 'viewer' });
      await write('DELETE', `/api/service/users/${userId}/revoke`, { role: 'viewer' });
    }
  })();
  return async () => {
    isStopped = true;
    await writing;
    return statuses.filter((status) => status === 200).length;
  };
}

describe('erasing a user', () => {
  test('erasing a user with thousands of items deletes all of them', async () => {
    const userId = await newUser();
    await assign(userId, billing, editor);
    await assign(userId, 'wiki' as AppId, editor);
    const history = Array.from({ length: 2000 }, (_, n) => ({ pk: `USER#${userId}`, sk: `CHANGE#${n}`, userId }));
    const roles = Object.fromEntries(
      Array.from({ length: 250 }, (_, n) => [`r${n}`, { grantedAt: '', expiresAt: null }]),
    );
    const members = Object.keys(roles).map((name) => ({ pk: `APP#large#ROLE#${name}`, sk: `USER#${userId}`, userId }));
    await putItems(service, ...history, ...members, accessItem({ userId, appId: 'large', roles }));
    expect(await operations.deleteUser({ userId }, operator)).toEqual({ changed: true, complete: true });
    expect(await tracesOf(userId)).toEqual([`USER#${userId} USER`]);
    expect(await operations.deleteUser({ userId }, operator)).toEqual({ changed: false, complete: true });
  });

  test('an erased user leaves only the id and its position in the order of changes, for thirty days', async () => {
    const userId = await newUser();
    await operations.setUserStatus({ userId, status: 'inactive', reason: 'private' }, operator);
    await operations.deleteUser({ userId }, operator);
    expect(await tracesOf(userId)).toEqual([`USER#${userId} USER`]);
    const mark = (await service.items()).get(`USER#${userId} USER`);
    const { erasedAt, lastChangeId, chainHead, ttl } = Object(mark) as ErasedMark;
    const index = { gsi1pk: 'USERS#ERASED', gsi1sk: userId };
    expect(mark).toEqual({
      pk: `USER#${userId}`,
      sk: 'USER',
      ...index,
      userId,
      erased: true,
      erasedAt,
      lastChangeId,
      chainHead,
      ttl,
    });
    expect(ttl).toBe(Math.ceil(Date.parse(erasedAt) / 1000) + 30 * 86_400);
    const another = await operations.createUser({ userId, displayName: null, email: null }, operator);
    const created = (await service.items()).get(`USER#${userId} USER`);
    expect(created).toMatchObject({ version: 1, createdAt: another.createdAt });
    expect(String(created?.lastChangeId) > lastChangeId).toBe(true);
    expect(created).not.toHaveProperty('ttl');
    expect(created).not.toHaveProperty('erased');
  });

  test('the record that a user was erased is kept as long as changes, without name, address or reason', async () => {
    const userId = await newUser();
    await operations.setUserStatus({ userId, status: 'inactive', reason: 'private' }, operator);
    await operations.deleteUser({ userId }, operator);
    await operations.createUser({ userId, displayName: null, email: null }, operator);
    await operations.deleteUser({ userId }, operator);
    const records = [...(await service.items()).entries()].filter(([key]) => key.startsWith(`USER#${userId} CHANGE#`));
    expect(
      records.map(([, { before, ttl, at }]) => [before, Number(ttl) - Math.ceil(Date.parse(String(at)) / 1000)]),
    ).toEqual([
      [{ status: 'inactive', version: 2 }, 30 * 86_400],
      [{ status: 'active', version: 1 }, 30 * 86_400],
    ]);
    expect(JSON.stringify(records)).not.toMatch(/private|somebody@example/);
    await operations.createUser({ userId, displayName: null, email: null }, operator);
    const history = await operations.listUserChanges({ userId, limit: 100 });
    expect(history.items.map(({ action }) => action)).toEqual(['user.created']);
  });

  test('the changes of a user come after those of the erased one, even with a clock ten seconds behind', async () => {
    const userId = await newUser();
    await operations.deleteUser({ userId }, operator);
    const ahead = createUlid(new Date(Date.now() + 10_000));
    await alterItem(service, [`USER#${userId}`, 'USER'], ['lastChangeId'], ahead);
    await operations.createUser({ userId, displayName: null, email: null }, operator);
    await assign(userId, billing, editor);
    await operations.setUserStatus({ userId, status: 'inactive', reason: null }, operator);
    const keys = [...(await service.items()).keys()].filter(
      (key) => /^USER#\S+ CHANGE#\d/.test(key) && key.includes(`#${userId} `),
    );
    const [created = '', assigned = '', deactivated = ''] = keys.map((key) => key.split('CHANGE#')[1]).sort();
    expect(keys).toHaveLength(3);
    expect([ahead < created, created < assigned, assigned < deactivated]).toEqual([true, true, true]);
    const items = await service.items();
    expect(items.get(`USER#${userId} USER`)?.lastChangeId).toBe(deactivated);
    expect(items.get(`USER#${userId} ACCESS#billing`)?.lastChangeId).toBe(assigned);
  });

  test('erasing a user leaves nothing behind while signed writes continue', async () => {
    const userId = await newUser();
    const stops = [keepWriting(userId), keepWriting(userId), keepWriting(userId)];
    // Waits until each writer has written something.
    while ((await tracesOf(userId)).length < 12) await service.items();
    expect(await operations.deleteUser({ userId }, operator)).toMatchObject({ complete: true });
    const accepted = await Promise.all(stops.map((stop) => stop()));
    expect(Math.min(...accepted)).toBeGreaterThan(0);
    expect(await tracesOf(userId)).toEqual([`USER#${userId} USER`]);
  });

  test('an interrupted erasure resumes on retry, and refuses writes until then', async () => {
    const userId = await newUser();
    await assign(userId, billing, editor);
    let transactions = 0;
    sdk.fault = async ({ command }, send) => {
      if (command === 'TransactWriteItemsCommand' && ++transactions > 1) throw new Error('cut off');
      return send();
    };
    await expect(operations.deleteUser({ userId }, operator)).rejects.toThrow('cut off');
    sdk.fault = undefined;
    const write = await service.request(['PUT', `/api/service/users/${userId}/access`], {
      body: { status: 'enabled' },
    });
    expect([write.status, write.body.code]).toEqual([404, 'user_not_found']);
    await expect(operations.createUser({ userId, displayName: null, email: null }, operator)).rejects.toMatchObject({
      code: 'already_exists',
    });
    expect(await operations.deleteUser({ userId }, operator)).toEqual({ changed: true, complete: true });
    expect(await tracesOf(userId)).toEqual([`USER#${userId} USER`]);
  });

  test('an erasure overtaken by another request does not affect a user created later', async () => {
    const userId = await newUser();
    await assign(userId, billing, editor);
    let isOvertaken = false;
    sdk.fault = async ({ command, input }, send) => {
      const erases =
        command === 'TransactWriteItemsCommand' && input.TransactItems.some((entry: object) => 'Delete' in entry);
      if (erases && !isOvertaken) {
        isOvertaken = true;
        await operations.deleteUser({ userId }, operator);
        await operations.createUser({ userId, displayName: 'another one', email: null }, operator);
        await assign(userId, billing, editor);
      }
      return send();
    };
    await operations.deleteUser({ userId }, operator);
    expect(isOvertaken).toBe(true);
    const traces = await tracesOf(userId);
    expect(traces).toEqual(expect.arrayContaining([`USER#${userId} USER`, `USER#${userId} ACCESS#billing`]));
    expect(traces).toContain(`APP#billing#ROLE#editor USER#${userId}`);
  });

  test('erasing a user finds the memberships of grants that expired long ago', async () => {
    const userId = await newUser();
    const soon = new Date(Date.now() + 60_000).toISOString();
    await operations.assignRole({ userId, appId: billing, grant: { role: editor, expiresAt: soon } }, operator);
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'setInterval', 'clearTimeout', 'queueMicrotask'],
      now: Date.now() + 120_000,
    });
    await assign(userId, billing, role('viewer'));
    expect(await tracesOf(userId)).not.toContain(`APP#billing#ROLE#editor USER#${userId}`);
    await operations.deleteUser({ userId }, operator);
    expect(await tracesOf(userId)).toEqual([`USER#${userId} USER`]);
  });
});

describe('deleting a role', () => {
  test('deleting a role in use requires force, and revokes it from everyone, each with a change', async () => {
    const appId = await newApplication(['member']);
    const member = role('member');
    const userIds = await mapConcurrently(Array.from({ length: 60 }), newUser);
    for (const userId of userIds) await assign(userId, appId, member);
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
    const appId = await newApplication(['late']);
    const userId = await newUser();
    const late = role('late');
    await assign(userId, appId, late);
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
    const appId = await newApplication(['kept']);
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
    const appId = await newApplication(['member', 'guest']);
    const userIds = await mapConcurrently(Array.from({ length: 120 }), newUser);
    for (const userId of userIds) {
      await assign(userId, appId, role('member'));
      await operations.setAccess(
        { userId, appId, setting: { status: 'disabled', reason: null, until: null } },
        operator,
      );
    }
    await expect(operations.deleteApplication({ appId, force: false }, operator)).rejects.toMatchObject({
      code: 'application_in_use',
    });
    expect(await operations.deleteApplication({ appId, force: true }, operator)).toEqual({
      changed: true,
      complete: true,
    });
    const left = (await tracesOf(appId)).filter((key) => !key.includes(' CHANGE#'));
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
    const appId = await newApplication(['viewer']);
    const key = await service.issueKey(appId, ['access:read', 'access:write', 'roles:write']);
    const userIds = await Promise.all(Array.from({ length: 8 }, newUser));
    let isStopped = false;
    const writing = userIds.map(async (userId) => {
      const codes: unknown[] = [];
      while (!isStopped) {
        const answer = await service.request(['POST', `/api/service/roles/${userId}/assign`], {
          key,
          body: { role: 'viewer' },
        });
        codes.push(answer.status === 200 ? 200 : answer.body.code);
        await service.request(['DELETE', `/api/service/users/${userId}/revoke`], { key, body: { role: 'viewer' } });
      }
      return codes;
    });
    while ((await tracesOf(appId)).length < 30) await service.items();
    expect(await operations.deleteApplication({ appId, force: true }, operator)).toMatchObject({ complete: true });
    isStopped = true;
    const codes = await Promise.all(writing);
    for (const seen of codes) {
      expect(seen[0]).toBe(200);
      expect(seen.at(-1)).toBe('key_revoked');
    }
    const left = (await tracesOf(appId)).filter((key) => !key.includes(' CHANGE#'));
    expect(left).toEqual([`APP#${appId} APP`]);
  });
});

describe('a role or application that is closed for deletion without force', () => {
  const inAMinute = () => new Date(Date.now() + 60_000).toISOString();
  const unavailable = { status: 503, body: { code: 'unavailable' }, headers: { 'retry-after': '5' } };

  test('a closed application refuses changes of access but can be read, until the closing expires', async () => {
    const appId = await newApplication(['member']);
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
    const appId = await newApplication(['member']);
    const userId = await newUser();
    await alterItem(service, [`APP#${appId}`, 'ROLE#member'], ['closedUntil'], inAMinute());
    await expect(assign(userId, appId, role('member'))).rejects.toMatchObject({ code: 'unavailable' });
    await alterItem(service, [`APP#${appId}`, 'ROLE#member'], ['closedUntil'], new Date().toISOString());
    expect(await assign(userId, appId, role('member'))).toMatchObject({ changed: true });
  });

  test.each(['role', 'application'])('a %s that is used while closed is not deleted and is reopened', async (kind) => {
    const appId = await newApplication(['member']);
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
        ? operations.deleteRole({ appId, role: role('member'), force: false }, operator)
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
    const appId = await newApplication(['member']);
    const { config } = await import('#shared/core/config.ts');
    const replaced = jest.replaceProperty(config(), 'settleSeconds', 30);
    const remove = () =>
      kind === 'role'
        ? operations.deleteRole({ appId, role: role('member'), force: false }, operator)
        : operations.deleteApplication({ appId, force: false }, operator);
    await expect(remove()).rejects.toMatchObject({ code: 'unavailable' });
    replaced.restore();
    const item = (await service.items()).get(kind === 'role' ? `APP#${appId} ROLE#member` : `APP#${appId} APP`);
    expect(item).not.toHaveProperty('closedUntil');
    expect(item).not.toHaveProperty('deleting');
  });
});

interface ErasedMark {
  readonly erasedAt: string;
  readonly lastChangeId: string;
  readonly chainHead: string;
  readonly ttl: number;
}
