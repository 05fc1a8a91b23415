import { scimUsersEndpoint } from '../contract/scim-endpoints.ts';
import { scimEndpoint } from '../http/scim-endpoint.ts';
import { userOperations } from '../http/scim-user-operations.ts';

/** /scim/v2/Users, /scim/v2/Users/{id}: the users of a directory; /scim/v2/.search: users and groups; 404 for unknown paths. */
export const handler = scimEndpoint(scimUsersEndpoint, userOperations);
