import { createRequestCheck } from './guards/check-request.ts';
import type { GuardOptions } from './guards/guard-decision.ts';

export * from './guards/guard-exports.ts';

/** The members of Fastify's reply that the guard uses. */
export interface GuardedReply {
  /** Sets the HTTP status. */
  code(status: number): unknown;
  /** Sets a header. */
  header(name: string, value: string): unknown;
  /** Sends the response. */
  send(body: Uint8Array): unknown;
}

/** The default type of the request passed to `userId`: specify your own to use more members. */
export interface FastifyRequest {
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A hook of Fastify 5, for `onRequest` or a later hook of a route. */
export type FastifyGuard<Request> = (request: Request, reply: GuardedReply) => Promise<unknown>;

/** Prevents inference of the type from the place of use, which yields `never` for Fastify's hooks. */
type Named<Request> = [Request][Request extends unknown ? 0 : never];

/** The members of a Fastify instance that the guard uses. */
export interface GuardedInstance<Request> {
  /** Adds a hook that runs before the routes. */
  addHook(name: 'onRequest', hook: FastifyGuard<Request>): unknown;
}

/**
 * Admits only requests of users with access, optionally only with a role. Answers with a problem document otherwise: 401
 * without a user, 403 without access, 503 if no decision is possible. Throws a TypeError for invalid options.
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
    const checked = await check(request);
    return checked.allowed ? undefined : send(checked, reply);
  };
}

/**
 * A plugin that guards all routes of the instance that registers it and of nested instances, including routes added earlier
 * and unknown paths. Takes the same options as `guard`.
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
    // Without it Fastify encapsulates the plugin, and sibling routes would be unguarded.
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: 'auth-service-guard',
  });
}

/** Returns the reply, which ends the request. Not the Response itself: Fastify's own HEAD routes fail with one. */
async function send(refusal: Response, reply: GuardedReply): Promise<unknown> {
  reply.code(refusal.status);
  // Fastify appends a further `set-cookie` to the existing ones.
  for (const [name, value] of refusal.headers) reply.header(name, value);
  return reply.send(new Uint8Array(await refusal.arrayBuffer()));
}
