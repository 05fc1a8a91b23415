import { createRequestCheck } from './guards/check-request.ts';
import type { GuardOptions } from './guards/guard-decision.ts';

export * from './guards/guard-exports.ts';

/** What the guard uses of Fastify's reply. */
export interface GuardedReply {
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  send(body: Uint8Array): unknown;
}

/** What `userId` gets when nothing names the request's type: name it to use more of it. */
export interface FastifyRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A hook of Fastify 5, for `onRequest` or a later one of a route. */
export type FastifyGuard<Request> = (request: Request, reply: GuardedReply) => Promise<unknown>;

/** Keeps TypeScript from taking the type from where the guard is used, which gives `never` for Fastify's hooks. */
type Named<Request> = [Request][Request extends unknown ? 0 : never];

/** What the guard uses of a Fastify instance. */
export interface GuardedInstance<Request> {
  addHook(name: 'onRequest', hook: FastifyGuard<Request>): unknown;
}

/**
 * Lets only requests of users with access pass, optionally only with a role. Without a user it answers 401, without access
 * 403, and 503 when that cannot be decided, as problem documents. Throws a TypeError for invalid options.
 *
 * @example
 * ```ts
 * import { AuthServiceClient } from '@auth-service/client';
 * import { getAccess, guard } from '@auth-service/client/fastify';
 * import fastify, { type FastifyRequest } from 'fastify';
 *
 * declare const client: AuthServiceClient;
 * declare function findSession(request: FastifyRequest): Promise<{ userId: string } | undefined>;
 *
 * const userId = async (request: FastifyRequest) => (await findSession(request))?.userId;
 * const app = fastify();
 * app.get('/invoices', { onRequest: guard({ source: client, userId, role: 'editor' }) }, async (request) => {
 *   return { roles: getAccess(request).roles };
 * });
 * ```
 */
export function guard<Request extends object = FastifyRequest>(
  options: GuardOptions<Request>,
): FastifyGuard<Named<Request>> {
  const check = createRequestCheck(options);
  return async (request, reply) => {
    const refusal = await check(request);
    return refusal && send(refusal, reply);
  };
}

/**
 * A plugin that guards all routes of the instance that registers it and of those inside it, also the routes that were added
 * before, and what is not found. Takes the same options as `guard`.
 *
 * @example
 * ```ts
 * import { type GuardOptions, guardPlugin } from '@auth-service/client/fastify';
 * import fastify, { type FastifyRequest } from 'fastify';
 *
 * declare const options: GuardOptions<FastifyRequest>;
 *
 * const app = fastify();
 * app.get('/health', async () => 'open');
 * app.register(async (admin) => {
 *   admin.register(guardPlugin(options));
 *   admin.get('/admin', async () => 'guarded');
 * });
 * ```
 */
export function guardPlugin<Request extends object = FastifyRequest>(
  options: GuardOptions<Request>,
): (instance: GuardedInstance<Request>) => Promise<void> {
  const hook = guard(options);
  const plugin = async (instance: GuardedInstance<Request>) => {
    instance.addHook('onRequest', hook);
  };
  return Object.assign(plugin, {
    // Without it Fastify gives the plugin an instance of its own, and the routes beside it would be open.
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: 'auth-service-guard',
  });
}

/** Returns the reply, which ends the request. Not the Response itself: Fastify's own HEAD routes fail with one. */
async function send(refusal: Response, reply: GuardedReply): Promise<unknown> {
  reply.code(refusal.status);
  // Fastify adds a further `set-cookie` to those that there are.
  for (const [name, value] of refusal.headers) reply.header(name, value);
  return reply.send(new Uint8Array(await refusal.arrayBuffer()));
}
