import { type Admission, createRequestCheck, type DeniedResponse } from './guards/check-request.ts';
import type { GuardOptions } from './guards/guard-decision.ts';

export type { Admission, DeniedResponse } from './guards/check-request.ts';
export * from './guards/guard-exports.ts';

/**
 * Checks a request of any framework: resolves with the access if its user may enter, optionally only with a role, and otherwise
 * with the response to send, a problem document: 401 without a user, 403 without access, 503 if no decision is possible.
 * Rejects only with a TypeError, for invalid options.
 *
 * @example
 * ```ts
 * import { AuthServiceClient } from '@auth-service/client';
 * import { checkRequest } from '@auth-service/client/guard';
 *
 * declare const source: AuthServiceClient;
 * declare function findSession(request: Request): Promise<{ userId: string } | undefined>;
 *
 * const userId = async (request: Request) => (await findSession(request))?.userId;
 *
 * export async function GET(request: Request): Promise<Response> {
 *   const checked = await checkRequest(request, { source, userId, role: 'editor' });
 *   if (!checked.allowed) return checked;
 *   return Response.json({ roles: checked.access.roles });
 * }
 * ```
 */
export async function checkRequest<Asked extends object = Request>(
  request: Asked,
  options: GuardOptions<Asked>,
): Promise<Admission | DeniedResponse> {
  return createRequestCheck(options)(request);
}
