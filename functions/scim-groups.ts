import { scimGroupsEndpoint } from '#shared/contract/scim-endpoints.ts';
import { scimEndpoint } from '#shared/http/bearer/scim-endpoint.ts';
import { groupOperations } from '#shared/http/bearer/scim-group-operations.ts';

/** /scim/v2/Groups and /scim/v2/Groups/{id}: the groups of a directory. */
export const handler = scimEndpoint(scimGroupsEndpoint, groupOperations);
