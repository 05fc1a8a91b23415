import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
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
  ['409, when the network delivered a copy of the request first', { status: 409, body: problem('nonce_replayed') }],
  ['502 of a proxy', { status: 502, body: '<html>' }],
  ['504 of a proxy', { status: 504 }],
  ['a connection that breaks', 'drop'],
  ['no answer in time', 'hang'],
  ['an answer that stops in the middle', 'hang in the body'],
])('retries under the same nonce with a new signature after %s', async (_, reaction) => {
  server.reactions = [reaction, reaction, enabled];
  const timeoutSeconds = String(reaction).startsWith('hang') ? 0.5 : 5;
  expect(await clientOf({ timeoutSeconds }).isAllowed('ada')).toBe(true);
  expect(server.seen).toHaveLength(3);
  expect(new Set(stamps().map(({ nonce }) => nonce)).size).toBe(1);
  expect(new Set(server.seen.map(({ headers }) => headers.signature)).size).toBe(3);
});

test('signs the attempts of one call a second apart, also when they are sent within the same one', async () => {
  const now = Math.floor(Date.now() / 1000);
  jest.spyOn(Date, 'now').mockReturnValue(now * 1000 + 999);
  server.reactions = [unavailable];
  await errorOf(clientOf().setAccess('ada', { status: 'enabled' }));
  expect(stamps().map(({ created }) => created)).toEqual([now, now + 1, now + 2, now + 3]);
});

test('names each call by a nonce of its own', async () => {
  server.reactions = [{ status: 200, body: { ...access, changed: true } }];
  const client = clientOf();
  await client.setAccess('ada', { status: 'enabled' });
  await client.setAccess('ada', { status: 'enabled' });
  expect(new Set(stamps().map(({ nonce }) => nonce)).size).toBe(2);
});

test.each<[string, string, Partial<AuthServiceClientOptions>, number]>([
  ['a 503', 'unavailable', { maxAttempts: 9 }, 4],
  ['a wrong clock', 'clock_skew', {}, 1],
])('does not go on under a nonce for more than 300 seconds after %s', async (_, code, options, attempts) => {
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const { requests, fetch } = stubFetch(() => {
    now += attempts === 1 ? 300_001 : 100_000;
    return Response.json(problem(code, { serverTime: new Date(now) }), { status: code === 'unavailable' ? 503 : 401 });
  });
  expect(await errorOf(clientOf({ ...options, fetch }).setAccess('ada', { status: 'enabled' }))).toMatchObject({
    code,
    attempts,
  });
  expect(requests).toHaveLength(attempts);
});

test('sends a call four times at most, or as often as maxAttempts says', async () => {
  server.reactions = [unavailable];
  expect(await errorOf(clientOf().getAccess('ada'))).toMatchObject({ code: 'unavailable', status: 503, attempts: 4 });
  expect(await errorOf(clientOf({ maxAttempts: 1 }).getAccess('ada'))).toMatchObject({ attempts: 1 });
  expect(server.seen).toHaveLength(5);
});

test('a 409 counts as an attempt like other failures', async () => {
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

test('waits as long as Retry-After says, and does not retry if that is longer than the time-out', async () => {
  server.reactions = [{ ...unavailable, headers: { 'retry-after': '1' } }, enabled];
  const startedAt = performance.now();
  expect(await clientOf({ timeoutSeconds: 2 }).isAllowed('ada')).toBe(true);
  expect(performance.now() - startedAt).toBeGreaterThan(900);

  server.reactions = [{ ...unavailable, headers: { 'retry-after': '60' } }];
  expect(await errorOf(clientOf().getAccess('ada'))).toMatchObject({ attempts: 1, retryAfterSeconds: 60 });
});

test.each([400, 401, 403, 404, 412, 413, 415, 500])('does not retry after %i', async (status) => {
  server.reactions = [{ status, body: problem('internal') }];
  expect(await errorOf(clientOf().getAccess('ada'))).toMatchObject({ status, requestId: 'R', attempts: 1 });
  expect(server.seen).toHaveLength(1);
});

test('throws an UnavailableError that says why when the connection is refused', async () => {
  const error = await errorOf(clientOf({ baseUrl: 'http://127.0.0.1:9' }).getAccess('ada'));
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error).toMatchObject({ code: 'no_answer', attempts: 4 });
  expect(error.status).toBeUndefined();
  expect(error.message).toMatch(/fetch failed/);
});

test.each([-3600, 3600])('sets a clock that is wrong by %i s once, not again and again', async (seconds) => {
  const serverTime = Date.now() + seconds * 1000;
  server.reactions = [{ status: 401, body: problem('clock_skew', { serverTime: new Date(serverTime).toISOString() }) }];
  expect(await errorOf(clientOf().getAccess('ada'))).toMatchObject({ code: 'clock_skew', attempts: 2 });
  const [first, second] = stamps();
  expect(second?.nonce).toBe(first?.nonce);
  expect(Math.abs((second?.created ?? 0) - serverTime / 1000)).toBeLessThan(3);
});

test.each<[string, Reaction]>([
  ['no JSON', { status: 200, body: '<html>Welcome</html>' }],
  ['nothing', { status: 200, body: '' }],
  ['null', { status: 200, body: 'null' }],
  ['a list', { status: 200, body: [access] }],
  ['no status', { status: 200, body: { ...access, effectiveStatus: undefined } }],
  ['another status', { status: 200, body: { ...access, effectiveStatus: 'ENABLED' } }],
  ['true as its status', { status: 200, body: { ...access, effectiveStatus: true } }],
  ["another user's access", { status: 200, body: { ...access, userId: 'Ada' } }],
  ["another application's access", { status: 200, body: { ...access, appId: 'wiki' } }],
  ['another success', { status: 204 }],
  ['a partial answer', { status: 206, body: access }],
  ['a redirect', { status: 302, headers: { location: '/elsewhere' }, body: access }],
  ['a permanent redirect', { status: 308, headers: { location: '/elsewhere' }, body: access }],
  ['a 404 without a code', { status: 404, body: {} }],
])('throws an error for an answer that is not a valid access: %s', async (_, reaction) => {
  server.reactions = [reaction];
  expect(await errorOf(clientOf({ maxAttempts: 1 }).isAllowed('ada'))).toBeInstanceOf(UnexpectedAnswerError);
  expect(server.seen).toHaveLength(1);
});

test('isAllowed is false for "disabled"', async () => {
  server.reactions = [{ status: 200, body: { ...access, effectiveStatus: 'disabled' } }];
  expect(await clientOf().isAllowed('ada')).toBe(false);
});

test('ends when the signal aborts, before, during and between requests, with its reason', async () => {
  await expect(clientOf().isAllowed('ada', { signal: AbortSignal.abort(new Error('never')) })).rejects.toThrow('never');
  expect(server.seen).toHaveLength(0);

  for (const reaction of ['hang', { ...unavailable, headers: { 'retry-after': '5' } }] as const) {
    server.reactions = [reaction];
    const enough = new AbortController();
    const call = clientOf({ timeoutSeconds: 10 }).isAllowed('ada', { signal: enough.signal });
    setTimeout(() => enough.abort(new Error('enough')), 50);
    await expect(call).rejects.toThrow('enough');
  }
  expect(server.seen).toHaveLength(2);
});

test.each(['', '.', '..', '../x', 'a/b', 'a b', 'ä', 'x'.repeat(129), undefined, null, 7])(
  'refuses the user id %j before anything is sent',
  async (userId) => {
    const error = await errorOf(clientOf().isAllowed(userId as string));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(server.seen).toHaveLength(0);
  },
);

test.each([
  [{ baseUrl: 'http://auth.example.com' }, 'baseUrl'],
  [{ baseUrl: 'https://user:pass@auth.example.com' }, 'baseUrl'],
  [{ baseUrl: 'https://auth.example.com/v1' }, 'baseUrl'],
  [{ baseUrl: 'auth.example.com' }, 'Invalid URL'],
  [{ keyId: testKey.secret }, 'keyId must be svk_...'],
  [{ keyId: '' }, 'keyId must be svk_...'],
  [{ secret: testKey.keyId }, 'secret must be svs_...'],
  [{ secret: `${testKey.secret}\n` }, 'secret must be svs_...'],
  [{ secret: '' }, 'secret must be svs_...'],
])('refuses the invalid options %o', (options, message) => {
  // Not by its class: an invalid URL has that of Node, outside of Jest's own globals.
  expect(() => clientOf(options)).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
  );
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

test('shows the secret in no text of the client or its errors', async () => {
  server.reactions = [{ status: 401, body: problem('signature_mismatch', { signatureBase: 'other' }) }];
  const client = clientOf();
  const error = await errorOf(client.getAccess('ada'));
  const texts = [inspect(client, { depth: 9, showHidden: true }), JSON.stringify(client), inspect(error), error.stack];
  expect(texts.filter((text) => text?.includes(testKey.secret.slice(4)))).toEqual([]);
});
