import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as sdk from '../../client/index.ts';
import {
  AuthServiceClient,
  type AuthServiceClientOptions,
  InvalidRequestError,
  UnavailableError,
  UnexpectedAnswerError,
} from '../../client/index.ts';
import { access, errorOf, problem, readStamp, stubFetch, testKey, withoutJitter } from './client-fixture.ts';
import { type Reaction, type StubServer, startStubServer } from './stub-server.ts';

let server: StubServer;
beforeAll(async () => {
  server = await startStubServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.seen.length = 0;
  withoutJitter();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const enabled = { status: 200, body: access };
const unavailable = { status: 503, body: problem('unavailable') };

const stamps = () => server.seen.map(({ headers }) => readStamp(headers['signature-input']));

function clientOf(options: Partial<AuthServiceClientOptions> = {}): AuthServiceClient {
  return new AuthServiceClient({ baseUrl: server.url, ...testKey, timeoutSeconds: 5, ...options });
}

test.each<[string, Reaction]>([
  ['503', unavailable],
  ['429', { status: 429, body: { message: 'Too Many Requests' } }],
  ['a 409 because the network delivered a copy of the request first', { status: 409, body: problem('nonce_replayed') }],
  ['a 502 from a proxy', { status: 502, body: '<html>' }],
  ['a 504 from a proxy', { status: 504 }],
  ['a broken connection', 'drop'],
  ['a timeout', 'hang'],
  ['a truncated response', 'hang in the body'],
])('retries under the same nonce with a new signature after %s', async (_, reaction) => {
  server.reactions = [reaction, reaction, enabled];
  const timeoutSeconds = String(reaction).startsWith('hang') ? 4 : 5;
  expect(await clientOf({ timeoutSeconds }).isAllowed('ada')).toBe(true);
  expect(server.seen).toHaveLength(3);
  expect(new Set(stamps().map(({ nonce }) => nonce)).size).toBe(1);
  expect(new Set(server.seen.map(({ headers }) => headers.signature)).size).toBe(3);
});

test('signs the attempts of one call a second apart, even if they are sent within the same second', async () => {
  const now = Math.floor(Date.now() / 1000);
  jest.spyOn(Date, 'now').mockReturnValue(now * 1000 + 999);
  server.reactions = [unavailable];
  await errorOf(clientOf().setAccess('ada', { status: 'enabled' }));
  expect(stamps().map(({ created }) => created)).toEqual([now, now + 1, now + 2, now + 3]);
});

test('signs every attempt to expire when the call ends', async () => {
  const now = Math.floor(Date.now() / 1000);
  jest.spyOn(Date, 'now').mockReturnValue(now * 1000 + 500);
  server.reactions = [unavailable];
  await errorOf(clientOf({ timeoutSeconds: 7 }).setAccess('ada', { status: 'enabled' }));
  expect(stamps().map(({ expires }) => expires)).toEqual([now + 8, now + 8, now + 8, now + 8]);
  await errorOf(clientOf({ timeoutSeconds: 1 }).setAccess('ada', { status: 'enabled' }));
  expect(stamps().map(({ expires }) => expires)).toEqual([
    ...Array(4).fill(now + 8),
    now + 2,
    now + 2,
    now + 2,
    now + 3,
  ]);
});

test('identifies each call by its own nonce', async () => {
  server.reactions = [{ status: 200, body: { ...access, changed: true } }];
  const client = clientOf();
  await client.setAccess('ada', { status: 'enabled' });
  await client.setAccess('ada', { status: 'enabled' });
  expect(new Set(stamps().map(({ nonce }) => nonce)).size).toBe(2);
});

test('does not use a nonce for more than 300 seconds', async () => {
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const { requests, fetch } = stubFetch(() => {
    now += 100_000;
    return Response.json(problem('unavailable'), { status: 503 });
  });
  const patient = clientOf({ timeoutSeconds: 300, maxAttempts: 9, fetch });
  expect(await errorOf(patient.setAccess('ada', { status: 'enabled' }))).toMatchObject({ attempts: 3 });
  expect(requests).toHaveLength(3);
});

test('sends a call four times at most, or as often as maxAttempts says', async () => {
  server.reactions = [unavailable];
  expect(await errorOf(clientOf().getAccess('ada'))).toMatchObject({ code: 'unavailable', status: 503, attempts: 4 });
  expect(await errorOf(clientOf({ maxAttempts: 1 }).getAccess('ada'))).toMatchObject({ attempts: 1 });
  expect(server.seen).toHaveLength(5);
});

test('a 409 counts as an attempt, like other failures', async () => {
  server.reactions = [{ status: 409, body: problem('nonce_replayed') }];
  const error = await errorOf(clientOf({ maxAttempts: 2 }).setAccess('ada', { status: 'enabled' }));
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error).toMatchObject({ code: 'nonce_replayed', attempts: 2 });
});

test('retries with the same body', async () => {
  server.reactions = [unavailable, { status: 200, body: { ...access, changed: true } }];
  await clientOf().setAccess('ada', { status: 'enabled' });
  expect(server.seen.map(({ body }) => body)).toEqual(['{"status":"enabled"}', '{"status":"enabled"}']);
});

test('waits as long as Retry-After says, and does not retry if that exceeds the remaining time of the call', async () => {
  server.reactions = [{ ...unavailable, headers: { 'retry-after': '1' } }, enabled];
  const startedAt = performance.now();
  expect(await clientOf().isAllowed('ada')).toBe(true);
  expect(performance.now() - startedAt).toBeGreaterThan(900);

  server.reactions = [{ ...unavailable, headers: { 'retry-after': '60' } }];
  expect(await errorOf(clientOf().getAccess('ada'))).toMatchObject({ attempts: 1, retryAfterSeconds: 60 });
});

test.each([400, 401, 403, 404, 412, 413, 415, 500])('does not retry after %i', async (status) => {
  server.reactions = [{ status, body: problem('internal') }];
  expect(await errorOf(clientOf().getAccess('ada'))).toMatchObject({ status, requestId: 'R', attempts: 1 });
  expect(server.seen).toHaveLength(1);
});

test('the text and the stack of an error begin with the name of its class', async () => {
  const failure = { code: 'internal', detail: 'D' } as const;
  const classes = Object.entries(sdk).filter(([name]) => name.endsWith('Error'));
  expect(classes).toHaveLength(8);
  for (const [name, ErrorOfKind] of classes) {
    const error = new (ErrorOfKind as typeof UnavailableError)(failure);
    expect([error.name, error.constructor.name]).toEqual([name, name]);
    expect([`${error}`, error.stack?.split('\n')[0]]).toEqual(Array(2).fill(`${name}: internal: D`));
    expect(inspect(error)).toMatch(`${name}: internal: D`);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name, code: 'internal', detail: 'D' });
  }
  class Mine extends UnavailableError {}
  expect([new Mine(failure).name, `${new Mine(failure)}`]).toEqual(['Mine', 'Mine: internal: D']);
});

test('throws an UnavailableError that says why when the connection is refused', async () => {
  const error = await errorOf(clientOf({ baseUrl: 'http://127.0.0.1:9' }).getAccess('ada'));
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error).toMatchObject({ code: 'no_answer', attempts: 4 });
  expect(error.status).toBeUndefined();
  expect(error.message).toMatch(/fetch failed/);
});

/** A 401 whose server time is this many seconds ahead of this machine's. */
const skew = (seconds: number, code = 'clock_skew', status = 401): Reaction => ({
  status,
  body: problem(code, { serverTime: new Date(Date.now() + seconds * 1000).toISOString() }),
});
const secondsAhead = () => stamps().map(({ created }) => Math.round((created - Date.now() / 1000) / 10) * 10 + 0);

describe('the clock', () => {
  test.each([-200, 200])('is corrected by %i s only once in a call, under the same nonce', async (seconds) => {
    server.reactions = [skew(seconds)];
    expect(await errorOf(clientOf().getAccess('ada'))).toMatchObject({ code: 'clock_skew', attempts: 2 });
    expect(secondsAhead()).toEqual([0, seconds]);
    expect(new Set(stamps().map(({ nonce }) => nonce)).size).toBe(1);
  });

  test.each([-86_400, 86_400])(
    'is corrected by at most five minutes, even if the server is %i s ahead',
    async (seconds) => {
      server.reactions = [skew(seconds), enabled];
      const client = clientOf();
      expect(await client.isAllowed('ada')).toBe(true);
      expect(await client.isAllowed('ada')).toBe(true);
      expect(secondsAhead()).toEqual([0, Math.sign(seconds) * 300, Math.sign(seconds) * 300]);
    },
  );

  test("never signs a write ahead of this machine's time, and does not trust the time of a read", async () => {
    server.reactions = [skew(200), skew(200), enabled, skew(200)];
    const client = clientOf();
    const write = () => errorOf(client.setAccess('ada', { status: 'enabled' }));
    expect(await write()).toMatchObject({ code: 'clock_skew', attempts: 2 });
    expect(await client.isAllowed('ada')).toBe(true);
    expect(await write()).toMatchObject({ code: 'clock_skew', attempts: 1 });
    expect(secondsAhead()).toEqual([0, 0, 200, 0]);
  });

  test("a write from a machine that is behind expires when its call ends by the server's clock", async () => {
    server.reactions = [skew(200), { status: 200, body: { ...access, changed: true } }];
    expect((await clientOf().setAccess('ada', { status: 'enabled' })).changed).toBe(true);
    const lifetimes = stamps().map(({ created, expires }) => Math.round((expires - created) / 10) * 10);
    expect(lifetimes).toEqual([10, 210]);
  });

  test('signs a write with the earlier time of a server that is behind', async () => {
    server.reactions = [skew(-200), { status: 200, body: { ...access, changed: true } }];
    expect((await clientOf().setAccess('ada', { status: 'enabled' })).changed).toBe(true);
    expect(secondsAhead()).toEqual([0, -200]);
  });

  test.each<[string, Reaction]>([
    ['another code', skew(200, 'signature_mismatch')],
    ['another status', skew(200, 'clock_skew', 503)],
    ['no time', { status: 401, body: problem('clock_skew', { serverTime: 'now' }) }],
  ])('is not corrected by %s', async (_, reaction) => {
    server.reactions = [reaction, enabled];
    const client = clientOf();
    await client.getAccess('ada').catch(() => {});
    await client.getAccess('ada').catch(() => {});
    expect(new Set(secondsAhead())).toEqual(new Set([0]));
  });
});

test.each<[string, Reaction]>([
  ['no JSON', { status: 200, body: '<html>Welcome</html>' }],
  ['nothing', { status: 200, body: '' }],
  ['null', { status: 200, body: 'null' }],
  ['a list', { status: 200, body: [access] }],
  ['no status', { status: 200, body: { ...access, effectiveStatus: undefined } }],
  ['another status', { status: 200, body: { ...access, effectiveStatus: 'ENABLED' } }],
  ['true as the status', { status: 200, body: { ...access, effectiveStatus: true } }],
  ["another user's access", { status: 200, body: { ...access, userId: 'Ada' } }],
  ["another application's access", { status: 200, body: { ...access, appId: 'wiki' } }],
  ['another success status', { status: 204 }],
  ['partial content', { status: 206, body: access }],
  ['a redirect', { status: 302, headers: { location: '/elsewhere' }, body: access }],
  ['a permanent redirect', { status: 308, headers: { location: '/elsewhere' }, body: access }],
  ['a 404 without a code', { status: 404, body: {} }],
])('throws an error for a response that is not a valid access: %s', async (_, reaction) => {
  server.reactions = [reaction];
  expect(await errorOf(clientOf({ maxAttempts: 1 }).isAllowed('ada'))).toBeInstanceOf(UnexpectedAnswerError);
  expect(server.seen).toHaveLength(1);
});

const unknown = { userId: 'zoe', code: 'user_not_found' };

test.each<[string, unknown]>([
  ['one answer too few', [access]],
  ['one too many', [access, unknown, unknown]],
  ['another order', [unknown, access]],
  ['no list', { 0: access, 1: unknown, length: 2 }],
  ['nothing', undefined],
  ['an access without a status', [{ ...access, effectiveStatus: undefined }, unknown]],
  ["another application's access", [{ ...access, appId: 'wiki' }, unknown]],
  ['another code', [access, { ...unknown, code: 'unavailable' }]],
  ['not an object', [access, null]],
])('checkAccess throws an error for %s', async (_, items) => {
  server.reactions = [{ status: 200, body: { items } }];
  const error = await errorOf(clientOf({ maxAttempts: 1 }).checkAccess(['ada', 'zoe']));
  expect([server.seen.length, error.code]).toEqual([1, 'unexpected_answer']);
});

test('checkAccess returns the users in the given order, with one request', async () => {
  server.reactions = [unavailable, { status: 200, body: { items: [access, unknown] } }];
  expect(await clientOf().checkAccess(['ada', 'zoe'])).toEqual([access, unknown]);
  expect(server.seen.map(({ method, target, body }) => `${method} ${target} ${body}`)).toEqual(
    Array(2).fill('POST /api/service/access/check {"userIds":["ada","zoe"]}'),
  );
});

describe('changes', () => {
  const page = (cursor: string, more: boolean, ...ids: readonly string[]): Reaction => ({
    status: 200,
    body: { items: ids.map((id) => ({ id })), more, cursor },
  });
  const read = async () => {
    const pages: (readonly [cursor: string, ...ids: string[]])[] = [];
    for await (const { items, cursor } of clientOf().changes()) pages.push([cursor, ...items.map(({ id }) => id)]);
    return pages;
  };

  test('asks again immediately, after the cursor of the previous page, while there is more', async () => {
    server.reactions = [page('a', true, '1', '2'), page('b', true), page('c', false, '2', '3')];
    expect(await read()).toEqual([
      ['a', '1', '2'],
      ['c', '3'],
    ]);
    const target = '/api/service/changes?limit=100';
    expect(server.seen.map((seen) => seen.target)).toEqual([target, `${target}&after=a`, `${target}&after=b`]);
  });

  test('continues after a page of changes that it has already returned', async () => {
    const known = Array.from({ length: 100 }, (_, index) => `${index}`);
    server.reactions = [page('a', true, ...known), page('b', true, ...known), page('c', false, 'new')];
    expect((await read()).map(([cursor]) => cursor)).toEqual(['a', 'c']);
  });

  test('returns a change once, while it is repeated until it has a number', async () => {
    const enough = new AbortController();
    server.reactions = [page('a', false, '1'), page('a', false, '1', '2'), page('b', false, '1', '2', '3')];
    const pages = clientOf().changes({ pollSeconds: 0.01, signal: enough.signal });
    const found = [];
    for await (const { items, cursor } of pages) {
      found.push([cursor, ...items.map(({ id }) => id)]);
      if (found.length === 3) break;
    }
    expect(found).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['b', '3'],
    ]);
  });

  test.each<[string, unknown]>([
    ['no list', { items: {}, more: false, cursor: 'a' }],
    ['a page without a cursor', { items: [{ id: '1' }], more: false, cursor: null }],
    ['a page that does not say whether there is more', { items: [{ id: '1' }], cursor: 'a' }],
  ])('throws an error for %s', async (_, body) => {
    server.reactions = [{ status: 200, body }];
    expect(await errorOf(read())).toBeInstanceOf(UnexpectedAnswerError);
  });
});

test('isAllowed is false for "disabled"', async () => {
  server.reactions = [{ status: 200, body: { ...access, effectiveStatus: 'disabled' } }];
  expect(await clientOf().isAllowed('ada')).toBe(false);
});

const impossible = ['', '.', '..', '../x', 'a/b', 'a b', 'ä', 'x'.repeat(129), undefined, null, 7] as string[];

test.each(impossible)('refuses the user id %j before anything is sent', async (userId) => {
  expect(await errorOf(clientOf().getAccess(userId))).toBeInstanceOf(InvalidRequestError);
  expect(await errorOf(clientOf().setAccess(userId, { status: 'enabled' }))).toBeInstanceOf(InvalidRequestError);
  expect(server.seen).toHaveLength(0);
});

test.each(impossible)('isAllowed is false for the invalid user id %j', async (userId) => {
  expect(await clientOf().isAllowed(userId)).toBe(false);
  expect(server.seen).toHaveLength(0);
});

test.each([
  [{ baseUrl: 'http://auth.example.com' }, 'or http://host with allowHttp'],
  [{ baseUrl: 'https://user:pass@auth.example.com' }, 'baseUrl'],
  [{ baseUrl: 'https://auth.example.com/v1' }, 'baseUrl'],
  [{ keyId: testKey.secret }, 'keyId of AuthServiceClient is not valid: it must be svk_...'],
  [{ secret: testKey.keyId }, 'secret of AuthServiceClient is not valid: it must be svs_...'],
  [{ secret: `${testKey.secret}\n` }, 'secret of AuthServiceClient is not valid: it must be svs_...'],
])('refuses the invalid options %o', (options, message) => {
  expect(() => clientOf(options)).toThrow(message);
});

test.each(['https://auth.example.com', 'https://auth.example.com/', 'https://auth.example.com/api/service/'])(
  'accepts the base URL %s',
  async (baseUrl) => {
    const { requests, fetch } = stubFetch(() => Response.json(access));
    expect(await clientOf({ baseUrl, fetch }).isAllowed('ada')).toBe(true);
    expect(requests[0]?.url).toBe('https://auth.example.com/api/service/users/ada/access');
  },
);

test('sends plain http to another machine only with allowHttp', async () => {
  const { fetch } = stubFetch(() => Response.json(access));
  const options = { baseUrl: 'http://auth.internal', allowHttp: true, fetch };
  expect(await clientOf(options).isAllowed('ada')).toBe(true);
});

test('no text of the client or its errors shows the secret', async () => {
  server.reactions = [{ status: 401, body: problem('signature_mismatch', { signatureBase: 'other' }) }];
  const client = clientOf();
  const error = await errorOf(client.getAccess('ada'));
  const texts = [inspect(client, { depth: 9, showHidden: true }), JSON.stringify(client), inspect(error), error.stack];
  expect(texts.filter((text) => text?.includes(testKey.secret.slice(4)))).toEqual([]);
});
