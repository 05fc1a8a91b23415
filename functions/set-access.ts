import { setAccessOperation } from '#shared/contract/access.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';

/** PUT /api/service/users/{userId}/access: sets the status of the user in the key's application. */
export const handler = serviceEndpoint(setAccessOperation, ({ userId, appId, ifMatch, ...setting }, context) =>
  setAccess({ userId, appId, setting, ifMatch }, context),
);
