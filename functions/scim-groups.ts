import { scimGroupsDoor } from '#shared/contract/doors.ts';
import { scimEndpoint } from '#shared/http/door/scim-endpoint.ts';
import { groupOperations } from '#shared/http/door/scim-group-operations.ts';

/** /scim/v2/Groups and /scim/v2/Groups/{id}: the groups of a directory. */
export const handler = scimEndpoint(scimGroupsDoor, groupOperations);
