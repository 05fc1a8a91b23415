import { ownChangesQuerySchema } from '#shared/contract/list-query.ts';
import { serviceRoutes } from '#shared/contract/routes.ts';
import { listChanges } from '#shared/domain/list-changes.ts';
import { inputInQuery } from '#shared/http/input-in-query.ts';
import { serviceEndpoint } from '#shared/http/service-endpoint.ts';

/** GET /api/service/changes: what has changed in the key's application since a cursor. */
export const handler = serviceEndpoint(serviceRoutes['list-changes'], {
  body: ownChangesQuerySchema,
  bodySource: inputInQuery(['after', 'limit']),
  operation: ({ appId, body: { after, limit } }, context) => listChanges({ appId, limit, cursor: after }, context),
});
