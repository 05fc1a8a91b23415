import { createRequestCheck } from './guards/check-request.ts';
import type { GuardOptions } from './guards/guard-decision.ts';

export * from './guards/guard-exports.ts';

/** The members of Express's response, which is Node's, that the guard uses. */
export interface GuardedResponse {
  /** The HTTP status to send. */
  statusCode: number;
  /** Whether something else has answered already. */
  readonly headersSent: boolean;
  /** Sets a header. */
  setHeader(name: string, value: string): unknown;
  /** Adds another header of this name. */
  appendHeader(name: string, value: string): unknown;
  /** Sends the response. */
  end(body: Uint8Array): unknown;
}

/** The default type of the request passed to `userId`: specify your own to use more members. */
export interface ExpressRequest {
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** A header by its name. */
  get(name: string): string | undefined;
}

/** A middleware of Express 5. */
export type ExpressGuard<Request> = (
  request: Request,
  response: GuardedResponse,
  next: (error?: unknown) => void,
) => Promise<void>;

/**
 * Admits only requests of users with access, optionally only with a role. Answers with a problem document otherwise: 401
 * without a user, 403 without access, 503 if no decision is possible. Throws a TypeError for invalid options.
 *
 * @example
 * ```ts
 * import { AuthServiceClient } from '@auth-service/client';
 * import { getAccess, guard } from '@auth-service/client/express';
 * import express, { type Request } from 'express';
 *
 * declare const client: AuthServiceClient;
 * declare function findSession(request: Request): Promise<{ userId: string } | undefined>;
 *
 * const userId = async (request: Request) => (await findSession(request))?.userId;
 * const app = express();
 * app.get('/invoices', guard({ source: client, userId, role: 'editor' }), (request, response) => {
 *   response.json({ roles: getAccess(request).roles });
 * });
 * ```
 */
export function guard<Request extends object = ExpressRequest>(options: GuardOptions<Request>): ExpressGuard<Request> {
  const check = createRequestCheck(options);
  return async (request, response, next) => {
    const checked = await check(request);
    if (checked.allowed) next();
    else if (!response.headersSent) await send(checked, response);
  };
}

async function send(refusal: Response, response: GuardedResponse): Promise<void> {
  response.statusCode = refusal.status;
  for (const [name, value] of refusal.headers) if (name !== 'set-cookie') response.setHeader(name, value);
  for (const cookie of refusal.headers.getSetCookie()) response.appendHeader('set-cookie', cookie);
  response.end(new Uint8Array(await refusal.arrayBuffer()));
}
