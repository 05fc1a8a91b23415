import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { createUlid } from '#shared/core/ids.ts';
import { alterItem, putItems } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { operator } from '../support/start-service.ts';
import { accessItem } from '../support/table-items.ts';
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
  jest.useRealTimers();
});

async function loadOperations() {
  return {
    ...(await import('#shared/domain/user/users.ts')),
    ...(await import('#shared/domain/role/grant-role.ts')),
    ...(await import('#shared/domain/user/delete-user.ts')),
    ...(await import('#shared/domain/history/list-history.ts')),
    ...(await import('#shared/domain/history/feed-numbers.ts')),
  };
}

/** Where a user is found, in any order; the feeds are left out. */
const leftOf = async (userId: UserId) => new Set(await tracesOf(service, userId));
const tombstoneOf = (userId: UserId) => new Set([`USER#${userId} USER`, `USERS#ERASED ${userId}`]);

let count = 0;
const billing = 'billing' as AppId;
const editor = 'editor' as RoleName;

async function newUser(): Promise<UserId> {
  const userId = `erased-${++count}` as UserId;
  await operations.createUser({ userId, displayName: null, email: 'somebody@example.com' }, operator);
  return userId;
}

const assign = (userId: UserId, appId: AppId, name: RoleName) =>
  operations.assignRole({ userId, appId, grant: { role: name, expiresAt: null } }, operator);

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
    expect(await leftOf(userId)).toEqual(tombstoneOf(userId));
    expect(await operations.deleteUser({ userId }, operator)).toEqual({ changed: false, complete: true });
  });

  test('an erased user leaves only the id and its position in the order of changes, for thirty days', async () => {
    const userId = await newUser();
    await operations.setUserStatus({ userId, status: 'inactive', reason: 'private' }, operator);
    await operations.deleteUser({ userId }, operator);
    expect(await leftOf(userId)).toEqual(tombstoneOf(userId));
    const mark = (await service.items()).get(`USER#${userId} USER`);
    const { erasedAt, lastChangeId, chainHead, ttl } = Object(mark) as ErasedMark;
    const entry = { userId, erasedAt, lastChangeId, ttl };
    expect(mark).toEqual({ pk: `USER#${userId}`, sk: 'USER', ...entry, erased: true, chainHead });
    expect((await service.items()).get(`USERS#ERASED ${userId}`)).toEqual({ pk: 'USERS#ERASED', sk: userId, ...entry });
    expect(ttl).toBe(Math.ceil(Date.parse(erasedAt) / 1000) + 30 * 86_400);
    const another = await operations.createUser({ userId, displayName: null, email: null }, operator);
    const created = (await service.items()).get(`USER#${userId} USER`);
    expect(created).toMatchObject({ version: 1, createdAt: another.createdAt });
    expect(String(created?.lastChangeId) > lastChangeId).toBe(true);
    expect(created).not.toHaveProperty('ttl');
    expect(created).not.toHaveProperty('erased');
    expect((await service.items()).get(`USERS#ERASED ${userId}`)).toBeUndefined();
  });

  test('of an erased user the feeds keep the id with the ids and actions of changes, for 31 days', async () => {
    const userId = await newUser();
    await assign(userId, billing, editor);
    await operations.setUserStatus({ userId, status: 'inactive', reason: 'private' }, operator);
    await operations.numberFeed(billing);
    await operations.deleteUser({ userId }, operator);
    const inFeeds = async () => {
      const items = [...(await service.items({ feeds: true }))];
      return items.filter(([key, item]) => key.startsWith('FEED#') && JSON.stringify(item).includes(`"${userId}"`));
    };
    const pending = (await inFeeds()).map(([, item]) => item).filter(({ sk }) => String(sk).startsWith('PENDING#'));
    expect(pending.map(({ pk, sk, id, counts, ...rest }) => rest)).toEqual(
      expect.arrayContaining([
        { userId, action: 'user.status.changed' },
        { userId, action: 'user.deleted' },
      ]),
    );
    await operations.numberFeed('USERS');
    await operations.numberFeed('USERS#UNFOLLOWED');
    const blocks = (await inFeeds()).map(([, item]) => item as unknown as Block);
    expect(blocks.map(({ pk }) => pk).sort()).toEqual(['FEED#USERS', 'FEED#USERS#UNFOLLOWED', 'FEED#billing']);
    const kept = blocks.flatMap(({ changes }) => changes.filter((one) => one.userId === userId));
    expect(kept.map(({ id, ...rest }) => rest).sort(byAction)).toEqual(
      ['role.assigned', 'user.created', 'user.deleted', 'user.status.changed'].map((action) => ({ action, userId })),
    );
    for (const { ttl } of blocks) expect(ttl).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 31 * 86_400);
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
    while ((await tracesOf(service, userId)).length < 12) await service.items();
    expect(await operations.deleteUser({ userId }, operator)).toMatchObject({ complete: true });
    const accepted = await Promise.all(stops.map((stop) => stop()));
    expect(Math.min(...accepted)).toBeGreaterThan(0);
    expect(await leftOf(userId)).toEqual(tombstoneOf(userId));
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
    expect(await leftOf(userId)).toEqual(tombstoneOf(userId));
  });

  test('an erasure overtaken by another request does not affect a user created later', async () => {
    const userId = await newUser();
    await assign(userId, billing, editor);
    let isOvertaken = false;
    sdk.fault = async ({ command, input }, send) => {
      const erases = command === 'TransactWriteItemsCommand' && input.TransactItems.some(isAccessDeletion);
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
    const traces = await tracesOf(service, userId);
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
    await assign(userId, billing, 'viewer' as RoleName);
    expect(await tracesOf(service, userId)).not.toContain(`APP#billing#ROLE#editor USER#${userId}`);
    await operations.deleteUser({ userId }, operator);
    expect(await leftOf(userId)).toEqual(tombstoneOf(userId));
  });
});

const isAccessDeletion = ({ Delete }: { Delete?: { Key: { sk: { S: string } } } }) =>
  Delete?.Key.sk.S.startsWith('ACCESS#');

const byAction = (one: { action: string }, other: { action: string }) => (one.action < other.action ? -1 : 1);

interface Block {
  readonly pk: string;
  readonly changes: readonly { readonly id: string; readonly action: string; readonly userId?: string }[];
  readonly ttl: number;
}

interface ErasedMark {
  readonly erasedAt: string;
  readonly lastChangeId: string;
  readonly chainHead: string;
  readonly ttl: number;
}
