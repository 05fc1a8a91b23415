import type { ConnectionKind, ConnectionScope } from './operation.ts';
import type { RootPurpose } from './root-purposes.ts';
import type { TableUse } from './table-use.ts';

/** A route of an endpoint, as API Gateway names it: `ANY` for every method. */
export interface BearerRoute {
  readonly method: 'GET' | 'POST' | 'ANY';
  readonly path: `/${string}`;
  /** The endpoint whose function serves it, if it is another one. */
  readonly servedBy?: string;
}

/** An endpoint for connections: called with a bearer token, in the format of a standard or of a proxy. */
export interface BearerEndpoint {
  /** The file of its function. */
  readonly name: string;
  readonly routes: readonly [BearerRoute, ...BearerRoute[]];
  /** The kind of the connections that may call it. */
  readonly kind: ConnectionKind;
  /** The scope that the key must have; `null` for an endpoint that needs no token and has no data. */
  readonly scope: ConnectionScope | null;
  /** The roots of the tokens that it verifies. Default: it verifies none. */
  readonly tokenRoots?: RootPurpose;
  /** What it does with the table, from which the permissions of its function derive. Default: nothing. */
  readonly use?: TableUse;
}

/** The key of a route in API Gateway, which its events have. */
export function routeKeyOf({ method, path }: BearerRoute): string {
  return `${method} ${path}`;
}
