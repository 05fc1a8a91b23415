import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express, { type Request } from 'express';
import fastify, { type FastifyRequest } from 'fastify';
import { type Context, Hono } from 'hono';
import * as ofExpress from '../../../client/express.ts';
import * as ofFastify from '../../../client/fastify.ts';
import * as ofWeb from '../../../client/guard.ts';
import * as ofHono from '../../../client/hono.ts';

/** The options of a guard except `userId`, which each framework reads from the header `x-user`. */
export type Options = Omit<ofHono.GuardOptions<object>, 'userId'>;

/**
 * Serves `/admin` behind its own guard, `/open` without one, and `/failing`, which is guarded and throws. The routes
 * respond with the access that `getAccess` returns.
 */
export type ServeGuarded = (options: Options) => Promise<GuardedServer>;

export interface GuardedServer {
  /** Sends a path unchanged, which `fetch` would normalize. */
  send(path: string, options?: SendOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface SendOptions {
  readonly method?: string;
  /** The value of `x-user`. */
  readonly user?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Texts that only the guarded routes return. */
export const secret = 'behind the guard';

export const frameworks: Readonly<Record<string, ServeGuarded>> = {
  Express: (options) => serveExpress(guardedExpress(options)),
  Fastify: (options) => serveFastify(guardedFastify(options)),
  Hono: (options) => serveHono(guardedHono(options)),
  'a Web-standard handler': (options) => serveHandler(guardedHandler(options)),
};

function guardedExpress(options: Options): express.Express {
  const guard = ofExpress.guard({ ...options, userId: (request: Request) => request.get('x-user') });
  const app = express().set('env', 'test');
  app.all('/admin', guard, (request, response) => {
    response.json({ secret, access: ofExpress.getAccess(request) });
  });
  app.get('/open', (request, response) => {
    response.json(ofExpress.getAccess(request));
  });
  app.get('/failing', guard, async () => {
    throw new Error('of the route');
  });
  return app;
}

function guardedFastify(options: Options): ReturnType<typeof fastify> {
  const onRequest = ofFastify.guard({ ...options, userId: userOfFastify });
  const app = fastify();
  const method = ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE'];
  app.route({
    method,
    url: '/admin',
    onRequest,
    handler: async (request) => ({ secret, access: ofFastify.getAccess(request) }),
  });
  app.get('/open', async (request) => ofFastify.getAccess(request));
  app.get('/failing', { onRequest }, async () => {
    throw new Error('of the route');
  });
  return app;
}

function guardedHono(options: Options): Hono {
  const guard = ofHono.guard({ ...options, userId: (context: Context) => context.req.header('x-user') });
  const app = new Hono();
  app.all('/admin', guard, (context) => context.json({ secret, access: ofHono.getAccess(context) }));
  app.get('/open', (context) => context.json(ofHono.getAccess(context)));
  app.get('/failing', guard, () => {
    throw new Error('of the route');
  });
  app.onError(({ message }, context) => context.text(message, 500));
  return app;
}

/** What a handler without a framework, and one of Next.js, SvelteKit or Workers, has: a Request, of which it returns a Response. */
function guardedHandler(given: Options): Handler {
  const options = { ...given, userId: ({ headers }: globalThis.Request) => headers.get('x-user') };
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/open') return Response.json(ofWeb.getAccess(request));
    const checked = await ofWeb.checkRequest(request, options);
    if (!checked.allowed) return checked;
    if (pathname === '/admin') return Response.json({ secret, access: checked.access });
    if (pathname === '/failing') throw new Error('of the route');
    return new Response(null, { status: 404 });
  };
}

/** The `userId` option in the tests of Fastify. */
export function userOfFastify({ headers }: FastifyRequest): string | undefined {
  return headers['x-user']?.toString();
}

export async function serveExpress(app: express.Express): Promise<GuardedServer> {
  return listen(createServer(app));
}

export async function serveFastify(app: ReturnType<typeof fastify>): Promise<GuardedServer> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { send: sender(app.server), close: () => app.close() };
}

export async function serveHono(app: Hono): Promise<GuardedServer> {
  return serveHandler(app.fetch);
}

type Handler = (request: globalThis.Request) => Response | Promise<Response>;

async function serveHandler(handler: Handler): Promise<GuardedServer> {
  // As a platform does: an error of the handler is its 500.
  const fetch = async (request: globalThis.Request) => {
    try {
      return await handler(request);
    } catch (error) {
      return new Response(`${error}`, { status: 500 });
    }
  };
  const server = serve({ fetch, hostname: '127.0.0.1', port: 0 }) as Server;
  if (!server.listening) await once(server, 'listening');
  return { send: sender(server), close: () => close(server) };
}

async function listen(server: Server): Promise<GuardedServer> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { send: sender(server), close: () => close(server) };
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

function sender(server: Server): GuardedServer['send'] {
  const { port } = server.address() as AddressInfo;
  return async (path, { method = 'GET', user } = {}) => {
    const headers = user === undefined ? {} : { 'x-user': user };
    const request = sendRequest({ host: '127.0.0.1', port, path, method, headers, agent: false });
    request.end();
    const [response] = await once(request, 'response');
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode, headers: response.headers, text };
  };
}
