import type { ConnectionKind, ConnectionScope } from './operation.ts';

/** An endpoint for connections: called with a bearer token, in the format of a standard or of a proxy. */
export interface Door {
  /** The file in `functions/`. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  /** The kind of the connections that may call it. */
  readonly kind: ConnectionKind;
  /** The scope that the key must have. */
  readonly scope: ConnectionScope;
}

/** One question of the AuthZEN Authorization API 1.0. */
export const evaluateDoor = {
  name: 'evaluate-access',
  method: 'POST',
  path: '/access/v1/evaluation',
  kind: 'evaluate',
  scope: 'access:read',
} as const satisfies Door;

/** Several questions of the AuthZEN Authorization API 1.0. */
export const evaluateManyDoor = {
  ...evaluateDoor,
  name: 'evaluate-accesses',
  path: '/access/v1/evaluations',
} as const satisfies Door;

/** The question of a proxy for each request that it forwards: nginx's `auth_request`, `forward_auth` of Caddy and Traefik. */
export const authorizeDoor = {
  ...evaluateDoor,
  name: 'authorize-request',
  method: 'GET',
  path: '/access/v1/authorize',
} as const satisfies Door;

/** All doors, by the setting that deploys them. */
export const doors = {
  evaluate: [evaluateDoor, evaluateManyDoor, authorizeDoor],
  scim: [],
} as const satisfies Readonly<Record<ConnectionKind, readonly Door[]>>;

/** Where clients of AuthZEN find its endpoints (AuthZEN 1.0, section on metadata). Reads no table, and needs no token. */
export const authzenMetadataPath = '/.well-known/authzen-configuration';
export const authzenMetadataRoute = `GET ${authzenMetadataPath}`;
