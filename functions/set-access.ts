import { setAccessBodySchema } from '#shared/contract/access.ts';
import { serviceRoutes } from '#shared/contract/routes.ts';
import { setAccess } from '#shared/domain/set-access.ts';
import { serviceEndpoint } from '#shared/http/service-endpoint.ts';

/** PUT /api/service/users/{userId}/access: sets the status of the user in the key's application. */
export const handler = serviceEndpoint(serviceRoutes['set-access'], {
  body: setAccessBodySchema,
  operation: ({ body, ...command }, context) => setAccess({ ...command, setting: body }, context),
});
