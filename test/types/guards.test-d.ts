import express, { type Request } from 'express';
import fastify, { type FastifyRequest } from 'fastify';
import { type Context, Hono } from 'hono';
import * as ofExpress from '../../client/express.ts';
import * as ofFastify from '../../client/fastify.ts';
import { checkRequest } from '../../client/guard.ts';
import * as ofHono from '../../client/hono.ts';
import type { AuthServiceClient } from '../../client/index.ts';
import type { AccessReplica } from '../../client/replica.ts';

declare const source: AuthServiceClient;

// Each framework takes the guard as its own, with the request's type named or not.
const server = express();
server.get('/', ofExpress.guard({ source, userId: (request) => request.get('x-user') }));
server.get('/', ofExpress.guard({ source, userId: async (request: Request) => request.ip }), (request, response) => {
  response.json(ofExpress.getAccess(request).roles.map(({ name }) => name));
});
server.use('/admin', ofExpress.guard({ source, userId: (request: Request) => request.ip }));
express.Router().use(ofExpress.guard({ source, userId: (request) => request.get('x-user') }));

const app = fastify();
const ofRequest = { source, userId: (request: FastifyRequest) => request.ip };
app.get(
  '/',
  { onRequest: ofFastify.guard({ source, userId: ({ headers }) => headers['x-user']?.toString() }) },
  async () => '',
);
app.get('/', { preHandler: [ofFastify.guard(ofRequest)] }, async (request) => ofFastify.getAccess(request).userId);
app.addHook('onRequest', ofFastify.guard(ofRequest));
app.register(ofFastify.guardPlugin(ofRequest));

const hono = new Hono<{ Variables: { user: string } }>();
hono.get('/', ofHono.guard({ source, userId: ({ req }) => req.header('x-user') }), (context) =>
  context.json(ofHono.getAccess(context)),
);
hono.use('/admin/*', ofHono.guard({ source, userId: (context: Context) => context.get('user') }));

export async function answer(request: globalThis.Request): Promise<Response> {
  const checked = await checkRequest(request, { source, userId: ({ headers }) => headers.get('x-user') });
  // @ts-expect-error the access of a request that may be denied
  void checked.access;
  return checked.allowed ? Response.json(checked.access.roles) : checked;
}
void checkRequest({ session: 'ada' }, { source, userId: ({ session }) => session });

declare const replica: AccessReplica;
ofExpress.guard({ source: replica, userId: (request) => request.get('x-user') });

const userId = () => 'ada';
// @ts-expect-error a source that cannot be asked
ofExpress.guard({ source: {}, userId });
// @ts-expect-error a guard that does not know who asks
ofExpress.guard({ source });
// @ts-expect-error a user id that is not a string
ofExpress.guard({ source, userId: () => 7 });
// @ts-expect-error a role that may be missing, which would let everybody pass
ofExpress.guard({ source, userId, role: process.env.ROLE });
// @ts-expect-error a misspelt option
ofExpress.guard({ source, userId, roles: ['editor'] });
// @ts-expect-error an answer that is none
ofExpress.guard({ source, userId, onDenied: () => 'no' });
// @ts-expect-error a request of another framework
server.use(ofHono.guard({ source, userId: (context: Context) => context.get('user') }));
