import * as v from 'valibot';
import { serviceRoutes } from '#shared/contract/routes.ts';
import { getAccess } from '#shared/domain/get-access.ts';
import { serviceEndpoint } from '#shared/http/service-endpoint.ts';

/** GET /api/service/users/{userId}/access: what holds now for the user in the key's application. */
export const handler = serviceEndpoint(serviceRoutes['get-access'], {
  body: v.undefined('must be left out: a GET takes no body'),
  operation: getAccess,
});
