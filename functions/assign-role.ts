import { assignRoleOperation } from '#shared/contract/grant.ts';
import { assignRole } from '#shared/domain/role/grant-role.ts';
import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';

/** POST /api/service/roles/{userId}/assign: assigns a role of the key's application to the user. */
export const handler = serviceEndpoint(assignRoleOperation, ({ userId, appId, ifMatch, ...grant }, context) =>
  assignRole({ userId, appId, grant, ifMatch }, context),
);
