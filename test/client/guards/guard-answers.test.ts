import { afterAll, describe, expect, test } from '@jest/globals';
import { AuthServiceClient } from '../../../client/index.ts';
import { access, problem, stubFetch, testKey } from '../client-fixture.ts';
import { frameworks, type GuardedServer, type Options, secret } from './guarded-server.ts';

/** A client whose requests are answered by a function; by default ada has access. */
function clientThat(answer: () => Response = () => Response.json(access)) {
  const { requests, fetch } = stubFetch(answer);
  const options = { baseUrl: 'https://auth.example.com', ...testKey, fetch, maxAttempts: 1 };
  return { requests, source: new AuthServiceClient(options) };
}

const disabled = () => Response.json({ ...access, effectiveStatus: 'disabled' });

/** Spellings of `/admin` that proxies and routers interpret differently. */
const spellings = [
  '/admin',
  '/%61dmin',
  '/%2561dmin',
  '//admin',
  '//admin//',
  '/admin/',
  '/ADMIN',
  '/admin%2f',
  '/%2fadmin',
  '/./admin',
  '/open/../admin',
  '/open/%2e%2e/admin',
  '/open%2f..%2fadmin',
  '/open/..%5cadmin',
  '/admin;x=1',
  '/admin%00',
  '/admin?x=/open',
  '/open?/../admin',
  'http://127.0.0.1/admin',
];

describe.each(Object.entries(frameworks))('the guard of %s', (_, serve) => {
  const servers: GuardedServer[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  async function guarded(options: Partial<Options> = {}): Promise<GuardedServer> {
    const server = await serve({ source: clientThat().source, ...options });
    servers.push(server);
    return server;
  }

  test('answers 401 with a challenge without a user, and sends no request to the service', async () => {
    const { source, requests } = clientThat();
    const { status, headers, text } = await (await guarded({ source })).send('/admin');
    expect(status).toBe(401);
    expect(headers).toMatchObject({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'www-authenticate': 'Bearer',
    });
    expect(JSON.parse(text)).toEqual({
      type: 'about:blank',
      title: 'Unauthorized',
      status: 401,
      detail: 'The request has no logged-in user. Log in first.',
      code: 'not_authenticated',
    });
    expect(requests).toEqual([]);
  });

  test.each(['', 'a/b', '..', 'a b', 'x'.repeat(129)])('answers 401 for the user id "%s"', async (user) => {
    const { source, requests } = clientThat();
    expect((await (await guarded({ source })).send('/admin', { user })).status).toBe(401);
    expect(requests).toEqual([]);
  });

  test('answers 503 with the Retry-After of an unavailable service', async () => {
    const unavailable = () => Response.json(problem('unavailable'), { status: 503, headers: { 'retry-after': '17' } });
    const { source } = clientThat(unavailable);
    const { status, headers, text } = await (await guarded({ source })).send('/admin', { user: 'ada' });
    expect([status, headers['retry-after']]).toEqual([503, '17']);
    expect(JSON.parse(text)).toEqual({
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      detail: 'The access of this user cannot be checked now. Try again later.',
      code: 'access_unavailable',
    });
  });

  test('answers HEAD, OPTIONS, POST and DELETE like GET', async () => {
    const server = await guarded({ source: clientThat(disabled).source });
    for (const method of ['HEAD', 'OPTIONS', 'POST', 'DELETE']) {
      expect([method, (await server.send('/admin', { method })).status]).toEqual([method, 401]);
      const { status, text, headers } = await server.send('/admin', { method, user: 'ada' });
      expect([method, status, text === '']).toEqual([method, 403, method === 'HEAD']);
      expect(headers['content-type']).toBe('application/problem+json');
    }
  });

  test('no spelling of a path bypasses the guard of its route', async () => {
    const server = await guarded();
    const answers = await Promise.all(spellings.map((path) => server.send(path)));
    expect(answers.filter(({ text, status }) => status < 300 || text.includes(secret))).toEqual([]);
    // The paths are sent unchanged: with access, the first and at least one other lead to the route.
    const entered = await Promise.all(spellings.map((path) => server.send(path, { user: 'ada' })));
    expect(entered[0]?.text).toContain(secret);
    expect(entered.filter(({ text }) => text.includes(secret)).length).toBeGreaterThan(1);
  });

  test('sends the response of onDenied, even if it is reused', async () => {
    const page = new Response('<h1>Blocked</h1>', { status: 403, headers: { 'content-type': 'text/html' } });
    const server = await guarded({ source: clientThat(disabled).source, onDenied: async () => page });
    for (const _ of [1, 2]) {
      const { status, headers, text } = await server.send('/admin', { user: 'ada' });
      expect([status, headers['content-type'], text]).toEqual([403, 'text/html', '<h1>Blocked</h1>']);
    }
  });

  test('onDenied can redirect to the login and set cookies', async () => {
    const answer = () => {
      const redirect = new Response(null, { status: 302, headers: { location: '/login' } });
      redirect.headers.append('set-cookie', 'back=/admin');
      redirect.headers.append('set-cookie', 'session=; Max-Age=0');
      return redirect;
    };
    const { status, headers } = await (await guarded({ onDenied: answer })).send('/admin');
    expect([status, headers.location]).toEqual([302, '/login']);
    expect(headers['set-cookie']).toEqual(['back=/admin', 'session=; Max-Age=0']);
  });

  test.each<[string, Options['onDenied']]>([
    ['returns nothing', () => {}],
    ['returns a success', () => new Response('Welcome')],
    ['returns something else', () => 'Welcome' as never],
    ['throws', () => Promise.reject(new Error('of the hook'))],
    [
      'returns a body that fails',
      () => new Response(new ReadableStream({ start: (body) => body.error(new Error('broken')) }), { status: 403 }),
    ],
  ])('sends the problem document when onDenied %s', async (_, onDenied) => {
    const { status, headers } = await (await guarded({ onDenied } as Options)).send('/admin');
    expect([status, headers['content-type']]).toEqual([401, 'application/problem+json']);
  });

  test('getAccess throws on a route without a guard', async () => {
    const { status, text } = await (await guarded()).send('/open', { user: 'ada' });
    expect(status).toBe(500);
    expect(text).toContain('No guard has admitted this request');
  });

  test('leaves the errors of the route to the framework', async () => {
    const { status, text } = await (await guarded()).send('/failing', { user: 'ada' });
    expect(status).toBe(500);
    expect(text).toContain('of the route');
  });
});
