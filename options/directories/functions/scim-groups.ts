import { scimGroupsEndpoint } from '../contract/scim-endpoints.ts';
import { scimEndpoint } from '../http/scim-endpoint.ts';
import { groupOperations } from '../http/scim-group-operations.ts';

/** /scim/v2/Groups and /scim/v2/Groups/{id}: the groups of a directory. */
export const handler = scimEndpoint(scimGroupsEndpoint, groupOperations);
