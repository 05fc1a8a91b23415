import { createRequestCheck } from './guards/check-request.ts';
import type { GuardOptions } from './guards/guard-decision.ts';

export * from './guards/guard-exports.ts';

/** The default type of the context passed to `userId`: specify your own to use more members. */
export interface HonoContext {
  /** Hono's request. */
  readonly req: {
    /** A header by its name. */
    header(name: string): string | undefined;
  };
}

/** A middleware of Hono 4. */
export type HonoGuard<Context> = (context: Context, next: () => Promise<void>) => Promise<Response | undefined>;

/**
 * Admits only requests of users with access, optionally only with a role. Answers with a problem document otherwise: 401
 * without a user, 403 without access, 503 if no decision is possible. `userId` and the callbacks take Hono's context instead
 * of the request. Throws a TypeError for invalid options.
 *
 * @example
 * ```ts
 * import { AuthServiceClient } from '@auth-service/client';
 * import { getAccess, guard } from '@auth-service/client/hono';
 * import { type Context, Hono } from 'hono';
 *
 * declare const client: AuthServiceClient;
 * declare function findSession(context: Context): Promise<{ userId: string } | undefined>;
 *
 * const userId = async (context: Context) => (await findSession(context))?.userId;
 * const app = new Hono();
 * app.get('/invoices', guard({ source: client, userId, role: 'editor' }), (context) => {
 *   return context.json({ roles: getAccess(context).roles });
 * });
 * ```
 */
export function guard<Context extends object = HonoContext>(options: GuardOptions<Context>): HonoGuard<Context> {
  const check = createRequestCheck(options);
  return async (context, next) => {
    const checked = await check(context);
    if (!checked.allowed) return checked;
    await next();
    return undefined;
  };
}
