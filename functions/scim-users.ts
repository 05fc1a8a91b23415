import { scimUsersEndpoint } from '#shared/contract/scim-endpoints.ts';
import { scimEndpoint } from '#shared/http/bearer/scim-endpoint.ts';
import { userOperations } from '#shared/http/bearer/scim-user-operations.ts';

/** /scim/v2/Users, /scim/v2/Users/{id}: the users of a directory; /scim/v2/.search: users and groups; 404 for unknown paths. */
export const handler = scimEndpoint(scimUsersEndpoint, userOperations);
