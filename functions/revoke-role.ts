import { revokeRoleOperation } from '#shared/contract/grant.ts';
import { revokeRole } from '#shared/domain/role/grant-role.ts';
import type { HttpEvent } from '#shared/http/http-event.ts';
import { invalidRequest } from '#shared/http/input.ts';
import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';

/** DELETE /api/service/users/{userId}/revoke: revokes a role of the key's application from the user. */
export const handler = serviceEndpoint(
  revokeRoleOperation,
  ({ role, ...subject }, context) => {
    if (role === undefined) throw invalidRequest([{ pointer: '#', detail: 'must be a JSON object' }]);
    return revokeRole({ ...subject, role }, context);
  },
  requireSameRole,
);

/** The role is in the body or, for clients and proxies that drop the body of a DELETE, in the query; both must agree. */
function requireSameRole({ body, rawQueryString }: HttpEvent): void {
  const query = new URLSearchParams(rawQueryString);
  const role = query.get('role');
  // The record refuses any other parameter.
  if (role === null || query.size > 1 || body === undefined || Object(body).role === role) return;
  throw invalidRequest([{ pointer: 'query:role', detail: 'differs from the role in the body' }]);
}
