import { assignRoleBodySchema } from '#shared/contract/access.ts';
import { serviceRoutes } from '#shared/contract/routes.ts';
import { assignRole } from '#shared/domain/assign-role.ts';
import { serviceEndpoint } from '#shared/http/service-endpoint.ts';

/** POST /api/service/roles/{userId}/assign: gives the user a role of the key's application. */
export const handler = serviceEndpoint(serviceRoutes['assign-role'], {
  body: assignRoleBodySchema,
  operation: ({ body, ...command }, context) => assignRole({ ...command, grant: body }, context),
});
