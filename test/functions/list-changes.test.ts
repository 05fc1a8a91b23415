import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { changeSettlingSeconds } from '#shared/contract/time-bounds.ts';
import { eventually } from '../support/eventually.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { newApplication } from '../support/new-application.ts';
import { putChange } from '../support/put-change.ts';
import { writtenBy } from '../support/read-history.ts';
import type { Key, RequestOptions } from '../support/send-request.ts';
import { startBundles, type TestService } from '../support/start-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startBundles();
});
afterAll(() => service.stop());

/** A separate application for each test, with a key. */
let appId: string;
let key: Key;
beforeEach(async () => {
  appId = await newApplication();
  key = await service.issueKey(appId, ['access:read']);
});

const list = (query = '', options: RequestOptions & { key?: Key } = {}) =>
  service.request(['GET', `/api/service/changes${query}`], { key, ...options });

/** Leaves out what an operator changed about the application and its key. */
const onlyAccess = '?actions=access.changed';
const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

/** Returns a change by an operator as the application reads it. */
const record = async (secondsAgo: number, userId = 'ada', app = appId) => {
  const { sourceIp: _, ...change } = await putChange(service.endpoint, { secondsAgo, userId, appId: app });
  return { ...change, caller: { kind: 'operator' } };
};

describe('200', () => {
  test("lists exactly the changes of the key's application as published, oldest first", async () => {
    const newer = await record(60);
    const older = await record(120, 'grace');
    await record(90, 'ada', 'elsewhere');
    const { status, headers, body } = await list(onlyAccess);
    expect([status, body.items]).toEqual([200, [older, newer]]);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('etag');
  });

  test('names the key of its own changes, but neither id nor address of an operator', async () => {
    const operatorCaller = {
      kind: 'operator',
      via: 'token',
      issuer: 'https://login',
      id: 'sub-1',
      email: 'op@example.com',
    };
    const keyCaller = { kind: 'api-key', appId, keyId: key.keyId };
    const put = (caller: object, sourceIp: string, secondsAgo: number) =>
      putChange(service.endpoint, { secondsAgo, userId: 'ada', appId, caller, sourceIp, reason: 'unpaid' });
    const own = await put(keyCaller, '192.0.2.7', 90);
    const { sourceIp: _, ...others } = await put(operatorCaller, '192.0.2.99', 60);
    expect((await list(onlyAccess)).body.items).toEqual([own, { ...others, caller: { kind: 'operator' } }]);
  });

  test('returns an advancing cursor even without changes', async () => {
    const first = (await list('?actions=role.defined')).body;
    expect(first).toEqual({ items: [], cursor: expect.any(String) });
    await pause(1100);
    const second = (await list(`?actions=role.defined&after=${first.cursor}`)).body;
    expect(second).toEqual({ items: [], cursor: expect.any(String) });
    expect(second.cursor).not.toBe(first.cursor);
  });

  test('returns every change once from cursor to cursor, including later ones', async () => {
    const changes = [];
    for (const secondsAgo of [500, 400, 300, 200, 100, 8, 6]) changes.push(await record(secondsAgo));
    const listed: { readonly id: string }[] = [];
    const isNew = ({ id }: { readonly id: string }) => listed.every((one) => one.id !== id);
    let { cursor, items } = (await list('?limit=2')).body;
    while (items.some(isNew)) {
      listed.push(...items);
      ({ cursor, items } = (await list(`?limit=2&after=${cursor}`)).body);
    }
    const seen = [...new Map(listed.map((change) => [change.id, change])).values()];
    expect(seen.slice(0, -2)).toEqual(changes);
    // The changes of the application itself come last.
    expect(seen).toHaveLength(changes.length + 2);
    // Recent changes are repeated once more than a second has passed.
    const settled = changes.slice(0, 5);
    expect(listed.filter(({ id }) => settled.some((change) => change.id === id))).toEqual(settled);
    const later = await record(0);
    expect((await list(`?after=${cursor}`)).body.items.at(-1)).toEqual(later);
  });

  test.each([1, 2, 7])('returns changes of one millisecond in pages of %d', async (limit) => {
    const from = Date.now();
    const ids = [];
    for (let n = 0; n < 30; n++) {
      ids.push((await putChange(service.endpoint, { secondsAgo: 60, from, userId: `user-${n}`, appId })).id);
    }
    const seen: string[] = [];
    let { cursor, items } = (await list(`${onlyAccess}&limit=${limit}`)).body;
    while (items.length > 0) {
      seen.push(...items.map(({ id }: { id: string }) => id));
      ({ cursor, items } = (await list(`${onlyAccess}&limit=${limit}&after=${cursor}`)).body);
    }
    expect(seen).toEqual(ids.toSorted());
  });

  test('returns a recent change immediately, and again with an earlier one that becomes visible late', async () => {
    const settled = await record(60);
    const second = await record(changeSettlingSeconds - 5);
    const first = (await list(onlyAccess)).body;
    expect(first.items).toEqual([settled, second]);
    const late = await record(changeSettlingSeconds - 4.5);
    const ask = async () => (await list(`${onlyAccess}&after=${first.cursor}`)).body.items;
    expect(await eventually(ask, (found) => found.length === 2)).toEqual([late, second].toSorted(byId));
  });

  test('returns within a second only what follows the last response', async () => {
    await record(5);
    const { cursor } = (await list(onlyAccess)).body;
    const later = await record(0);
    expect((await list(`${onlyAccess}&after=${cursor}`)).body.items).toEqual([later]);
  });

  test('does not skip unsettled changes after a cursor of the history', async () => {
    await record(60);
    const { listApplicationChangesAfter } = await import('#shared/domain/history/list-history.ts');
    const late = await record(2);
    const { cursor } = await listApplicationChangesAfter({ appId: appId as never, limit: 100 });
    expect((await list(`${onlyAccess}&after=${cursor}`)).body.items).toEqual([late]);
  });

  test('returns status changes, erasures and recreations of users, without names', async () => {
    const users = {
      ...(await import('#shared/domain/user/users.ts')),
      ...(await import('#shared/domain/user/delete-user.ts')),
    };
    const { operator } = await import('../support/start-service.ts');
    const { cursor } = (await list()).body;
    const userId = `${appId}-grace` as UserId;
    const person = { userId, displayName: 'Grace Hopper', email: 'grace@example.com' };
    await users.createUser(person, operator);
    await users.updateUser({ userId, displayName: 'Rear Admiral' }, operator);
    await users.setUserStatus({ userId, status: 'inactive', reason: 'private' }, operator);
    await users.deleteUser({ userId }, operator);
    await users.createUser(person, operator);
    const { items } = (await list(`?after=${cursor}`)).body;
    const ofUser = items.filter((change: { userId?: string }) => change.userId === userId);
    const shown = {
      userId,
      at: expect.any(String),
      id: expect.any(String),
      requestId: 'test',
      caller: { kind: 'operator' },
    };
    // The record of the status was erased with the user.
    expect(ofUser).toEqual([
      { ...shown, action: 'user.deleted', before: { status: 'inactive', version: 3 }, after: null, reason: null },
      { ...shown, action: 'user.created', before: null, after: { status: 'active', version: 1 }, reason: null },
    ]);
    await users.setUserStatus({ userId, status: 'inactive', reason: 'private' }, operator);
    const later = (await list(`?after=${cursor}&actions=user.status.changed`)).body.items.at(-1);
    const sides = { before: { status: 'active', version: 1 }, after: { status: 'inactive', version: 2 }, reason: null };
    expect(later).toEqual({ ...shown, action: 'user.status.changed', ...sides });
  });

  test('lists only the requested actions, even among many others', async () => {
    for (let n = 0; n < 12; n++) await record(100 - n);
    const items = (await list('?actions=application.created,key.issued&limit=1')).body.items;
    expect(items.map(({ action }: { action: string }) => action)).toEqual(['application.created']);
  });

  test('lists changes at a percent-encoded path, as the gateway decodes it', async () => {
    const tamper: RequestOptions['tamper'] = (sent) => ({ ...sent, target: '/api/service/chang%65s' });
    expect((await list('', { tamper })).status).toBe(200);
  });

  test('listing changes writes nothing', async () => {
    await record(60);
    expect(await writtenBy(service, list)).toEqual([]);
  });
});

describe('400', () => {
  test.each([
    ['?limit=0', 'query:limit'],
    ['?limit=101', 'query:limit'],
    ['?limit=ten', 'query:limit'],
    ['?after=', 'query:after'],
    ['?after=nonsense', 'query:after'],
    ['?after=a&after=b', 'query:after'],
    ['?cursor=a', 'query:cursor'],
    ['?verbose=1', 'query:verbose'],
    ['?actions=', 'query:actions'],
    ['?actions=access.changed,everything', 'query:actions'],
  ])('refuses to list changes with %s and names the field', async (query, pointer) => {
    expectInvalid(await list(query), pointer);
  });

  test('names all invalid parameters of a list of changes', async () => {
    expectInvalid(await list('?limit=0&after='), 'query:limit', 'query:after');
  });

  test("refuses a cursor of another application's changes", async () => {
    await record(60, 'ada', 'billing');
    const { body } = await list('', { key: service.billingKey });
    expectInvalid(await list(`?after=${body.cursor}`), 'query:after');
  });

  test('refuses to list changes with a body', async () => {
    expectInvalid(await list('', { body: {} }), '#');
  });
});

describe('410', () => {
  test('refuses a cursor older than the retention of changes, 30 days in this stage', async () => {
    const { feedCursorAt } = await import('#shared/table/queries/feed-cursor.ts');
    const { lowestUlid } = await import('#shared/core/ids.ts');
    const cursorOf = (days: number) =>
      feedCursorAt(appId as AppId, lowestUlid(new Date(Date.now() - days * 86_400_000)));
    expectProblem(await list(`?after=${cursorOf(31)}`), 'cursor_expired');
    expect((await list(`?after=${cursorOf(29)}`)).status).toBe(200);
  });
});

describe('401', () => {
  test('refuses to list changes with a revoked key', async () => {
    const { revokeKey } = await import('#shared/domain/api-key/manage-keys.ts');
    const { operator } = await import('../support/start-service.ts');
    await revokeKey({ appId: appId as never, keyId: key.keyId }, operator);
    expectProblem(await list(), 'key_revoked');
  });

  test('refuses to list changes with a query that was not signed', async () => {
    const tamper: RequestOptions['tamper'] = (sent) => ({ ...sent, target: '/api/service/changes?limit=100' });
    const answer = await list('?limit=1', { tamper });
    expectProblem(answer, 'signature_mismatch', { signatureBase: expect.stringContaining('"@query": ?limit=100') });
  });
});

describe('403', () => {
  test('refuses to list changes with a key without access:read', async () => {
    const answer = await list('', { key: await service.issueKey(appId, ['access:write', 'roles:write']) });
    expectProblem(answer, 'scope_missing');
  });
});

test('answers 404 to another method at the list of changes', async () => {
  const answer = await service.request(['PUT', '/api/service/changes'], { key, body: {} });
  expectProblem(answer, 'route_not_found');
  expect(answer.headers.allow).toBe('GET');
});
