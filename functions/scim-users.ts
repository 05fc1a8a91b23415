import { scimUsersDoor } from '#shared/contract/doors.ts';
import { scimEndpoint } from '#shared/http/door/scim-endpoint.ts';
import { userOperations } from '#shared/http/door/scim-user-operations.ts';

/** /scim/v2/Users, /scim/v2/Users/{id}: the users of a directory; /scim/v2/.search: users and groups; 404 for unknown paths. */
export const handler = scimEndpoint(scimUsersDoor, userOperations);
