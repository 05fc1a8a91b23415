import { checkAccessOperation } from '#shared/contract/access-check.ts';
import { checkAccess } from '#shared/domain/access/check-users.ts';
import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';

/** POST /api/service/access/check: the effective access of up to 100 users to the key's application. */
export const handler = serviceEndpoint(checkAccessOperation, checkAccess);
