import { connectionRoots } from '#options/connections/contract/connection-names.ts';
import type { BearerEndpoint, BearerRoute } from '#shared/contract/bearer-endpoint.ts';
import type { TableUse } from '#shared/contract/table-use.ts';

/** The path below which SCIM 2.0 is (RFC 7644). */
export const scimPath = '/scim/v2';

/** Searches all resource types (RFC 7644 section 3.4.3). */
export const scimSearchPath = `${scimPath}/.search`;

const read = {
  reads: ['connection', 'directory', 'application', 'user', 'format'],
  queries: ['directory'],
  keyOwner: 'connection',
} as const;

/** A user who is removed leaves the groups, which takes roles; only the groups give any. */
const userUse: TableUse = {
  ...read,
  writes: {
    PutItem: ['user', 'userList', 'directory', 'search', 'feed'],
    UpdateItem: ['user', 'directory'],
    DeleteItem: ['userList', 'member', 'directory', 'search'],
    ConditionCheckItem: ['user'],
  },
};

const groupUse: TableUse = {
  ...read,
  writes: {
    PutItem: ['user', 'member', 'accessEntry', 'directory', 'feed'],
    UpdateItem: ['user', 'directory'],
    DeleteItem: ['member', 'directory'],
    ConditionCheckItem: ['user', 'directory'],
  },
};

/** The users of a directory. */
export const scimUsersEndpoint = {
  name: 'scim-users',
  routes: [
    { method: 'ANY', path: `${scimPath}/Users` },
    { method: 'ANY', path: `${scimPath}/Users/{id}` },
    { method: 'POST', path: scimSearchPath },
  ],
  kind: 'scim',
  scope: 'users:write',
  tokenRoots: connectionRoots,
  use: userUse,
} as const satisfies BearerEndpoint;

/** The groups of a directory, which assign roles. */
export const scimGroupsEndpoint = {
  name: 'scim-groups',
  routes: [
    { method: 'ANY', path: `${scimPath}/Groups` },
    { method: 'ANY', path: `${scimPath}/Groups/{id}` },
  ],
  kind: 'scim',
  scope: 'roles:write',
  tokenRoots: connectionRoots,
  use: groupUse,
} as const satisfies BearerEndpoint;

/**
 * All other paths, which do not exist. They are served where tokens are verified, so that operators see what their directory
 * asked. The route belongs to the endpoint of discovery, because a route that moves to another resource cannot be deployed: API
 * Gateway refuses a second one with the same key.
 */
export const scimUnknownRoute = {
  method: 'ANY',
  path: `${scimPath}/{proxy+}`,
  servedBy: scimUsersEndpoint.name,
} as const satisfies BearerRoute;

/** What the service supports of SCIM; public, as RFC 7643 section 5 recommends. */
export const scimDiscoveryEndpoint = {
  name: 'scim-discovery',
  routes: [
    scimUnknownRoute,
    { method: 'ANY', path: `${scimPath}/ServiceProviderConfig` },
    { method: 'ANY', path: `${scimPath}/ResourceTypes` },
    { method: 'ANY', path: `${scimPath}/ResourceTypes/{id}` },
    { method: 'ANY', path: `${scimPath}/Schemas` },
    { method: 'ANY', path: `${scimPath}/Schemas/{id}` },
  ],
  kind: 'scim',
  scope: null,
} as const satisfies BearerEndpoint;

/** The endpoints of a directory. */
export const directoryEndpoints = [scimUsersEndpoint, scimGroupsEndpoint, scimDiscoveryEndpoint] as const;
