import { getAccessOperation } from '#shared/contract/access.ts';
import { getAccess } from '#shared/domain/access/read-access.ts';
import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';

/** GET /api/service/users/{userId}/access: the effective access of the user to the key's application. */
export const handler = serviceEndpoint(getAccessOperation, getAccess);
