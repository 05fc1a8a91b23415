import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AppId, UserId } from '#shared/contract/fields.ts';
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

/** Numbers what is pending, as the reader of the stream does. */
async function number(): Promise<void> {
  const { numberFeed } = await import('#shared/domain/history/feed-numbers.ts');
  await numberFeed(appId as AppId);
}

/** The ids of all changes of accesses, page by page. */
async function readAll(limit: number, from = ''): Promise<string[]> {
  const ids: string[] = [];
  let [cursor, more] = [from, true];
  while (more) {
    const { body } = await list(`${onlyAccess}&limit=${limit}${cursor && `&after=${cursor}`}`);
    ids.push(...body.items.map(({ id }: { id: string }) => id));
    ({ cursor, more } = body);
  }
  return ids;
}

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

  test('returns a cursor even without changes', async () => {
    const first = (await list('?actions=role.defined')).body;
    expect(first).toEqual({ items: [], pending: 0, more: false, cursor: expect.any(String) });
    await number();
    const second = (await list(`?actions=role.defined&after=${first.cursor}`)).body;
    expect((await list(`?actions=role.defined&after=${second.cursor}`)).body).toEqual(second);
  });

  test('returns a change at once, and again until it has a number', async () => {
    const { cursor } = (await list()).body;
    const change = await record(0);
    const ask = async (after = cursor) => (await list(`${onlyAccess}&after=${after}`)).body;
    for (let n = 0; n < 2; n++) expect((await ask()).items).toEqual([change]);
    await number();
    const numbered = await ask();
    expect(numbered).toMatchObject({ items: [change], pending: 0, more: false });
    expect(await ask(numbered.cursor)).toMatchObject({ items: [], pending: 0, cursor: numbered.cursor });
  });

  test.each([1, 2, 7, 100])('returns every change once from cursor to cursor, %d at a time', async (limit) => {
    const changes = [];
    for (const secondsAgo of [500, 400, 300, 8, 6]) changes.push(await record(secondsAgo));
    await number();
    for (const secondsAgo of [200, 100]) changes.push(await record(secondsAgo));
    await number();
    expect(await readAll(limit)).toEqual(changes.map(({ id }) => id));
  });

  test.each([1, 2, 7])('returns all changes of one millisecond, %d at a time', async (limit) => {
    const from = Date.now();
    const ids = [];
    for (let n = 0; n < 30; n++) {
      ids.push((await putChange(service.endpoint, { secondsAgo: 60, from, userId: `user-${n}`, appId })).id);
    }
    // The stream numbers them meanwhile, so some come again.
    expect([...new Set(await readAll(limit))].toSorted()).toEqual(ids.toSorted());
  });

  test('returns a change that was made earlier and committed later, whatever its id', async () => {
    await record(5);
    await number();
    const { cursor } = (await list()).body;
    const late = await record(3600);
    await number();
    expect((await list(`${onlyAccess}&after=${cursor}`)).body.items).toEqual([late]);
  });

  test('returns hundreds of changes that are numbered while they are read', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 250; n++) ids.push((await record(n)).id);
    const first = (await list(`${onlyAccess}&limit=100`)).body;
    expect([first.items.length, first.more]).toEqual([100, true]);
    const seen = new Set([...first.items.map(({ id }: { id: string }) => id), ...(await readAll(100, first.cursor))]);
    expect([...seen].toSorted()).toEqual(ids.toSorted());
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
      signature: expect.any(String),
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
  test('refuses a cursor after which changes have expired', async () => {
    await record(60);
    await number();
    const { cursor } = (await list()).body;
    const { removeItem } = await import('../support/alter-item.ts');
    const { logBlockKey } = await import('#shared/table/keys/feed-item-keys.ts');
    const { pk, sk } = logBlockKey(appId as AppId, 1);
    await removeItem(service, [pk, sk]);
    expectProblem(await list(`?after=${cursor}`), 'cursor_expired');
    expect((await list()).status).toBe(200);
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
