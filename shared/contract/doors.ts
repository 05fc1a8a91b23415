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

/** The token inline hook of Okta, called before a custom authorization server issues tokens. */
export const oktaHookDoor = {
  ...evaluateDoor,
  name: 'answer-okta-hook',
  path: '/hooks/okta',
} as const satisfies Door;

/** The token hook of Ory Hydra, called before it issues tokens. */
export const hydraHookDoor = {
  ...evaluateDoor,
  name: 'answer-hydra-hook',
  path: '/hooks/hydra',
} as const satisfies Door;

/** All doors, by the value of the setting `doors` that deploys them. */
export const doors = {
  evaluate: [evaluateDoor, evaluateManyDoor, authorizeDoor],
  hooks: [oktaHookDoor, hydraHookDoor],
} as const satisfies Readonly<Record<string, readonly Door[]>>;
export type DoorSet = keyof typeof doors;

/** Where clients of AuthZEN find its endpoints (AuthZEN 1.0, section on metadata). Reads no table, and needs no token. */
export const authzenMetadataPath = '/.well-known/authzen-configuration';
export const authzenMetadataRoute = `GET ${authzenMetadataPath}`;
