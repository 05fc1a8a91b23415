import { revokeRoleBodySchema } from '#shared/contract/access.ts';
import { serviceRoutes } from '#shared/contract/routes.ts';
import { revokeRole } from '#shared/domain/revoke-role.ts';
import { roleInBodyOrQuery } from '#shared/http/role-in-body-or-query.ts';
import { serviceEndpoint } from '#shared/http/service-endpoint.ts';

/** DELETE /api/service/users/{userId}/revoke: takes a role of the key's application back from the user. */
export const handler = serviceEndpoint(serviceRoutes['revoke-role'], {
  body: revokeRoleBodySchema,
  bodySource: roleInBodyOrQuery,
  operation: ({ body, ...command }, context) => revokeRole({ ...command, role: body.role }, context),
});
