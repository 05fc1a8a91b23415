import { expect, test } from '@jest/globals';
import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { getAccess, guard } from '../../../client/hono.ts';
import { AuthServiceClient } from '../../../client/index.ts';
import { access, stubFetch, testKey } from '../client-fixture.ts';
import { serveHono } from './guarded-server.ts';

const { fetch } = stubFetch(() => Response.json(access));
const source = new AuthServiceClient({ baseUrl: 'https://auth.example.com', ...testKey, fetch });
const options = { source, userId: (context: Context) => context.req.header('x-user') };
const asAda = { headers: { 'x-user': 'ada' } };

test('a guard on a path guards later routes below it, even in another application', async () => {
  const inner = new Hono().get('/page', (context) => context.text(getAccess(context).userId));
  const app = new Hono();
  app.get('/admin/earlier', (context) => context.text('open'));
  app.use('/admin/*', guard(options));
  app.route('/admin', inner);
  expect((await app.request('/admin/page')).status).toBe(401);
  expect(await (await app.request('/admin/page', asAda)).text()).toBe('ada');
  // As documented.
  expect((await app.request('/admin/earlier')).status).toBe(200);
});

test('no spelling of a path bypasses its guard when served by Node', async () => {
  const app = new Hono();
  app.use('/admin/*', guard(options));
  app.get('/admin/page', (context) => context.text('secret'));
  const server = await serveHono(app);
  try {
    const paths = [
      '/admin/page',
      '/%61dmin/page',
      '//admin//page',
      '/admin%2fpage',
      '/admin/%70age',
      '/x/../admin/page',
    ];
    const answers = await Promise.all(paths.map((path) => server.send(path)));
    expect(answers.filter(({ text }) => text.includes('secret'))).toEqual([]);
    expect((await server.send('/%61dmin/page', { user: 'ada' })).text).toBe('secret');
  } finally {
    await server.close();
  }
});

test('a refusal keeps the CORS headers if the CORS middleware precedes the guard', async () => {
  const origin = 'https://app.example.com';
  const app = new Hono().use(cors({ origin })).get('/admin', guard(options), (context) => context.text('secret'));
  const headers = { origin, 'access-control-request-method': 'GET' };
  expect((await app.request('/admin', { method: 'OPTIONS', headers })).status).toBe(204);
  const refused = await app.request('/admin', { headers });
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, origin]);
});

test('an error in a route reaches the error handler of the application', async () => {
  const app = new Hono().onError(({ message }, context) => context.text(message, 418));
  app.get('/admin', guard(options), () => Promise.reject(new Error('of the route')));
  const answer = await app.request('/admin', asAda);
  expect([answer.status, await answer.text()]).toEqual([418, 'of the route']);
});
