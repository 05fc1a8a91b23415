import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { changeSettlingSeconds } from '#shared/contract/time-bounds.ts';
import { eventually } from '../support/eventually.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { putChange } from '../support/put-change.ts';
import { writtenBy } from '../support/read-history.ts';
import type { Key, RequestOptions } from '../support/send-request.ts';
import { startBundles, type TestService } from '../support/start-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startBundles();
});
afterAll(() => service.stop());

/** An application of its own for each test, with a key. */
let appId: string;
let key: Key;
let apps = 0;
beforeEach(async () => {
  appId = `app-${++apps}`;
  const { createApplication } = await import('#shared/domain/application/applications.ts');
  const { operator } = await import('../support/start-service.ts');
  await createApplication({ appId: appId as never, name: appId }, operator);
  key = await service.issueKey(appId, ['access:read']);
});

const list = (query = '', options: RequestOptions & { key?: Key } = {}) =>
  service.request(['GET', `/api/service/changes${query}`], { key, ...options });

/** Answers the change as the application reads it: an operator has made it. */
const record = async (secondsAgo: number, userId = 'ada', app = appId) => {
  const { sourceIp: _, ...change } = await putChange(service.endpoint, { secondsAgo, userId, appId: app });
  return { ...change, caller: { kind: 'operator' } };
};

describe('200', () => {
  test("lists the changes of the key's application as they were published, oldest first, and no others", async () => {
    const newer = await record(60);
    const older = await record(120, 'grace');
    await record(90, 'ada', 'elsewhere');
    const { status, headers, body } = await list();
    expect([status, body.items]).toEqual([200, [older, newer]]);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('etag');
  });

  test('names the key of a change of its own, and of an operator neither id nor any address', async () => {
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
    expect((await list()).body.items).toEqual([own, { ...others, caller: { kind: 'operator' } }]);
  });

  test('answers no cursor before the first change of an application', async () => {
    expect((await list()).body).toEqual({ items: [], cursor: null });
  });

  test('leads from cursor to cursor through all changes, each once, and on to later ones', async () => {
    const changes = [];
    for (const secondsAgo of [500, 400, 300, 200, 100]) changes.push(await record(secondsAgo));
    const seen: unknown[] = [];
    let { cursor, items } = (await list('?limit=2')).body;
    while (items.length > 0) {
      seen.push(...items);
      ({ cursor, items } = (await list(`?limit=2&after=${cursor}`)).body);
    }
    expect(seen).toEqual(changes);
    expect((await list(`?after=${cursor}`)).body).toEqual({ items: [], cursor });
    const later = await record(50);
    expect((await list(`?after=${cursor}`)).body.items).toEqual([later]);
  });

  test('withholds recent changes, so that a change that becomes visible late is not missed', async () => {
    const settled = await record(60);
    const second = await record(changeSettlingSeconds - 5);
    const { items, cursor } = (await list()).body;
    expect(items).toEqual([settled]);
    // The change that was decided first becomes visible last.
    const first = await record(changeSettlingSeconds - 4.5);
    const ask = async () => (await list(`?after=${cursor}`)).body.items;
    const all = await eventually(ask, (found) => found.length === 2);
    expect(all).toEqual([first, second]);
  });

  test('lists nothing after the cursor of a change that is too recent', async () => {
    await record(60);
    const { listApplicationChangesAfter } = await import('#shared/domain/history/list-history.ts');
    await record(1);
    const { items, cursor } = await listApplicationChangesAfter({ appId: appId as never, limit: 100 });
    expect(items.map(({ action }) => action)).toContain('access.changed');
    expect((await list(`?after=${cursor}`)).body).toEqual({ items: [], cursor });
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
  ])('refuses to list changes with %s and names the field', async (query, pointer) => {
    expectInvalid(await list(query), pointer);
  });

  test('names every invalid parameter of a list of changes at once', async () => {
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

describe('401', () => {
  test('refuses to list changes with a key that was revoked', async () => {
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
