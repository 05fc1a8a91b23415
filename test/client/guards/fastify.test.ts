import { afterEach, expect, test } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { getAccess, guard, guardPlugin } from '../../../client/fastify.ts';
import { AuthServiceClient } from '../../../client/index.ts';
import { access, stubFetch, testKey } from '../client-fixture.ts';
import { type GuardedServer, serveFastify, userOfFastify } from './guarded-server.ts';

const { fetch } = stubFetch(() => Response.json(access));
const source = new AuthServiceClient({ baseUrl: 'https://auth.example.com', ...testKey, fetch });
const options = { source, userId: userOfFastify };

let server: GuardedServer | undefined;
afterEach(() => server?.close());

/** The responses of an application to requests without a user. */
async function statuses(app: FastifyInstance, paths: readonly string[]): Promise<Record<string, number>> {
  server = await serveFastify(app);
  const { send } = server;
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, (await send(path)).status])));
}

test('the plugin guards the whole instance that registers it: sibling, nested, earlier and unknown routes', async () => {
  const app = fastify();
  app.get('/earlier', async () => '');
  app.register(guardPlugin(options));
  app.get('/later', async () => '');
  app.register(async (inner) => {
    inner.get('/inner', async (request) => getAccess(request).userId);
    inner.register(async (innermost) => void innermost.get('/innermost', async () => ''));
  });
  const paths = ['/earlier', '/later', '/inner', '/innermost', '/missing', '/%6cater', '//later'];
  expect(await statuses(app, paths)).toEqual(Object.fromEntries(paths.map((path) => [path, 401])));
  expect(await server?.send('/inner', { user: 'ada' })).toMatchObject({ status: 200, text: 'ada' });
});

test('the plugin in a separate instance leaves the others open', async () => {
  const app = fastify();
  app.get('/health', async () => '');
  app.register(async (admin) => {
    admin.register(guardPlugin(options));
    admin.get('/admin', async () => '');
  });
  app.register(async (shop) => void shop.get('/shop', async () => ''));
  expect(await statuses(app, ['/health', '/admin', '/%61dmin', '/shop'])).toEqual({
    '/health': 200,
    '/admin': 401,
    '/%61dmin': 401,
    '/shop': 200,
  });
});

test('a hook inside a plugin without fastify-plugin guards only that plugin, as documented', async () => {
  const app = fastify();
  app.register(async (inner) => {
    inner.addHook('onRequest', guard(options));
    inner.get('/inner', async () => '');
  });
  app.get('/beside', async () => '');
  expect(await statuses(app, ['/inner', '/beside'])).toEqual({ '/inner': 401, '/beside': 200 });
});

test('a guarded GET guards the HEAD that Fastify adds', async () => {
  const app = fastify();
  app.get('/admin', { onRequest: guard(options) }, async () => 'secret');
  await statuses(app, []);
  expect((await server?.send('/admin', { method: 'HEAD' }))?.status).toBe(401);
  expect((await server?.send('/admin', { method: 'HEAD', user: 'ada' }))?.status).toBe(200);
});

test('a hook that answers preflights is guarded only if it comes after the guard', async () => {
  const answerPreflight = async (request: { method: string }, reply: { code(status: number): { send(): unknown } }) =>
    request.method === 'OPTIONS' ? reply.code(204).send() : undefined;
  for (const [order, status] of [
    ['before', 204],
    ['after', 401],
  ]) {
    const app = fastify();
    if (order === 'before') app.addHook('onRequest', answerPreflight);
    app.register(guardPlugin(options));
    app.after(() => void (order === 'after' && app.addHook('onRequest', answerPreflight)));
    app.get('/admin', async () => '');
    await statuses(app, []);
    expect([order, (await server?.send('/admin', { method: 'OPTIONS' }))?.status]).toEqual([order, status]);
    await server?.close();
  }
});

test('works as a preHandler and together with other hooks of the route', async () => {
  const app = fastify();
  const order: string[] = [];
  const before = async () => void order.push('before');
  const after = async () => void order.push('after');
  app.get('/admin', { preHandler: [before, guard(options), after] }, async (request) => getAccess(request).userId);
  expect(await statuses(app, ['/admin'])).toEqual({ '/admin': 401 });
  expect(order).toEqual(['before']);
  expect(await server?.send('/admin', { user: 'ada' })).toMatchObject({ text: 'ada' });
});
