import type { ConnectionKind, ConnectionScope } from './operation.ts';

/** A route of a door, as API Gateway names it: `ANY` for every method. */
export interface DoorRoute {
  readonly method: 'GET' | 'POST' | 'ANY';
  readonly path: `/${string}`;
  /** The door whose function serves it, if it is another one. */
  readonly servedBy?: string;
}

/** An endpoint for connections: called with a bearer token, in the format of a standard or of a proxy. */
export interface Door {
  /** The file in `functions/`. */
  readonly name: string;
  readonly routes: readonly [DoorRoute, ...DoorRoute[]];
  /** The kind of the connections that may call it. */
  readonly kind: ConnectionKind;
  /** The scope that the key must have; `null` for an endpoint that needs no token and has no data. */
  readonly scope: ConnectionScope | null;
}

/** One question of the AuthZEN Authorization API 1.0. */
export const evaluateDoor = {
  name: 'evaluate-access',
  routes: [{ method: 'POST', path: '/access/v1/evaluation' }],
  kind: 'evaluate',
  scope: 'access:read',
} as const satisfies Door;

/** Several questions of the AuthZEN Authorization API 1.0. */
export const evaluateManyDoor = {
  ...evaluateDoor,
  name: 'evaluate-accesses',
  routes: [{ method: 'POST', path: '/access/v1/evaluations' }],
} as const satisfies Door;

/** The question of a proxy for each request that it forwards: nginx's `auth_request`, Caddy's `forward_auth`. */
export const authorizeDoor = {
  ...evaluateDoor,
  name: 'authorize-request',
  routes: [{ method: 'GET', path: '/access/v1/authorize' }],
} as const satisfies Door;

/** The path below which SCIM 2.0 is (RFC 7644). */
export const scimPath = '/scim/v2';

/** Searches all resource types (RFC 7644 section 3.4.3). */
export const scimSearchPath = `${scimPath}/.search`;

/** The users of a directory. */
export const scimUsersDoor = {
  name: 'scim-users',
  routes: [
    { method: 'ANY', path: `${scimPath}/Users` },
    { method: 'ANY', path: `${scimPath}/Users/{id}` },
    { method: 'POST', path: scimSearchPath },
  ],
  kind: 'scim',
  scope: 'users:write',
} as const satisfies Door;

/** The groups of a directory, which assign roles. */
export const scimGroupsDoor = {
  name: 'scim-groups',
  routes: [
    { method: 'ANY', path: `${scimPath}/Groups` },
    { method: 'ANY', path: `${scimPath}/Groups/{id}` },
  ],
  kind: 'scim',
  scope: 'roles:write',
} as const satisfies Door;

/**
 * All other paths, which do not exist. They are served where tokens are verified, so that operators see what their directory
 * asked. The route belongs to the door of discovery, because a route that moves to another resource cannot be deployed: API
 * Gateway refuses a second one with the same key.
 */
export const scimUnknownRoute = {
  method: 'ANY',
  path: `${scimPath}/{proxy+}`,
  servedBy: scimUsersDoor.name,
} as const satisfies DoorRoute;

/** What the service supports of SCIM; public, as RFC 7643 section 5 recommends. */
export const scimDiscoveryDoor = {
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
} as const satisfies Door;

/** The token inline hook of Okta, called before a custom authorization server issues tokens. */
export const oktaHookDoor = {
  ...evaluateDoor,
  name: 'answer-okta-hook',
  routes: [{ method: 'POST', path: '/hooks/okta' }],
} as const satisfies Door;

/** The token hook of Ory Hydra, called before it issues tokens. */
export const hydraHookDoor = {
  ...evaluateDoor,
  name: 'answer-hydra-hook',
  routes: [{ method: 'POST', path: '/hooks/hydra' }],
} as const satisfies Door;

/** All doors, by the value of the setting `doors` that deploys them. */
export const doors = {
  evaluate: [evaluateDoor, evaluateManyDoor, authorizeDoor],
  hooks: [oktaHookDoor, hydraHookDoor],
  scim: [scimUsersDoor, scimGroupsDoor, scimDiscoveryDoor],
} as const satisfies Readonly<Record<string, readonly Door[]>>;
export type DoorSet = keyof typeof doors;

/** The key of a route in API Gateway, which its events have. */
export function routeKeyOf({ method, path }: DoorRoute): string {
  return `${method} ${path}`;
}

/** Where clients of AuthZEN find its endpoints (AuthZEN 1.0, section on metadata). Reads no table, and needs no token. */
export const authzenMetadataPath = '/.well-known/authzen-configuration';
export const authzenMetadataRoute = `GET ${authzenMetadataPath}`;
