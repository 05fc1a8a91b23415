import { afterEach, expect, test } from '@jest/globals';
import express, { type Request, type RequestHandler } from 'express';
import { getAccess, guard } from '../../../client/express.ts';
import { AuthServiceClient } from '../../../client/index.ts';
import { access, stubFetch, testKey } from '../client-fixture.ts';
import { type GuardedServer, serveExpress } from './guarded-server.ts';

const { fetch } = stubFetch(() => Response.json(access));
const source = new AuthServiceClient({ baseUrl: 'https://auth.example.com', ...testKey, fetch });
const userId = (request: Request) => request.get('x-user');
const answerSecret: RequestHandler = (_, response) => void response.send('secret');

let server: GuardedServer | undefined;
afterEach(() => server?.close());

async function serve(configure: (app: express.Express) => void): Promise<GuardedServer> {
  const app = express().set('env', 'test');
  configure(app);
  server = await serveExpress(app);
  return server;
}

test("a source that rejects causes the guard's 503, not Express's 500", async () => {
  const broken = { checkOrAsk: async () => Promise.reject(new Error('broken')) };
  const errors: unknown[] = [];
  const { send } = await serve((app) => {
    app.get('/admin', guard({ source: broken, userId }), answerSecret);
    app.use(((error, _, response, _next) => {
      errors.push(error);
      response.status(500).end();
    }) as express.ErrorRequestHandler);
  });
  const { status, headers } = await send('/admin', { user: 'ada' });
  expect([status, headers['content-type'], errors]).toEqual([503, 'application/problem+json', []]);
});

test('a guard of a router guards all its routes, under every spelling', async () => {
  const router = express.Router();
  router.use(guard({ source, userId }));
  router.get('/page', answerSecret);
  const { send } = await serve((app) => void app.use('/admin', router));
  const paths = ['/admin/page', '/ADMIN/page', '/%61dmin/page', '//admin//page', '/admin/%70age', '/admin/./page'];
  const answers = await Promise.all(paths.map((path) => send(path)));
  expect(answers.filter(({ text }) => text.includes('secret'))).toEqual([]);
  expect(answers[0]?.status).toBe(401);
  expect((await send('/admin/page', { user: 'ada' })).text).toBe('secret');
});

test('getAccess returns the access in every later middleware and router', async () => {
  const router = express.Router().get('/page', (request, response) => void response.send(getAccess(request).userId));
  const { send } = await serve((app) => void app.use('/admin', guard({ source, userId }), router));
  expect((await send('/admin/page', { user: 'ada' })).text).toBe('ada');
});

test('a guard after the route guards nothing, as documented', async () => {
  const { send } = await serve((app) => void app.get('/page', answerSecret).use(guard({ source, userId })));
  expect((await send('/page')).text).toBe('secret');
  expect((await send('/missing')).status).toBe(401);
});

test('a preflight is answered by middleware before the guard, and otherwise refused by the guard', async () => {
  const cors: RequestHandler = ({ method }, response, next) => {
    response.setHeader('access-control-allow-origin', 'https://app.example.com');
    if (method === 'OPTIONS') response.status(204).end();
    else next();
  };
  const { send } = await serve((app) => {
    app.use('/with', cors, guard({ source, userId }), answerSecret);
    app.use('/without', guard({ source, userId }), cors, answerSecret);
  });
  expect((await send('/with', { method: 'OPTIONS' })).status).toBe(204);
  expect((await send('/without', { method: 'OPTIONS' })).status).toBe(401);
  // A browser shows the refusal to a page only with this header.
  expect((await send('/with')).headers).toMatchObject({ 'access-control-allow-origin': 'https://app.example.com' });
});

test('keeps existing cookies, and writes nothing after another response', async () => {
  const onDenied = () => new Response(null, { status: 302, headers: { location: '/login', 'set-cookie': 'back=1' } });
  const setCookie: RequestHandler = (_, response, next) => void next(response.cookie('session', 'new') && undefined);
  const answerEarly: RequestHandler = (_, response, next) => void next(response.status(504).end() && undefined);
  const errors: unknown[] = [];
  const { send } = await serve((app) => {
    app.get('/cookies', setCookie, guard({ source, userId, onDenied }));
    app.get('/answered', answerEarly, guard({ source, userId }));
    app.use(((error, _request, _response, next) => {
      errors.push(error);
      next();
    }) as express.ErrorRequestHandler);
  });
  expect((await send('/cookies')).headers['set-cookie']).toEqual(['session=new; Path=/', 'back=1']);
  expect((await send('/answered')).status).toBe(504);
  await send('/cookies');
  expect(errors).toEqual([]);
});
