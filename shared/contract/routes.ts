/** What a key may do; every key holds a set of these. */
export const scopes = ['access:read', 'access:write', 'roles:write'] as const;
export type Scope = (typeof scopes)[number];

export interface ServiceRoute {
  /** The function in `functions/`, the operation in `shared/domain/`, and the OpenAPI operation. */
  readonly name: string;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Path template in the notation that API Gateway and OpenAPI share. */
  readonly path: `/api/service/${string}`;
  readonly scope: Scope;
  /** Whether the operation changes the table, and so spends the request's nonce. */
  readonly writes: boolean;
}

/** The Service API: the one table from which the stack, the handlers and the local gateway take their routes. */
export const serviceRoutes = {
  'get-access': {
    name: 'get-access',
    method: 'GET',
    path: '/api/service/users/{userId}/access',
    scope: 'access:read',
    writes: false,
  },
  'set-access': {
    name: 'set-access',
    method: 'PUT',
    path: '/api/service/users/{userId}/access',
    scope: 'access:write',
    writes: true,
  },
  'assign-role': {
    name: 'assign-role',
    method: 'POST',
    path: '/api/service/roles/{userId}/assign',
    scope: 'roles:write',
    writes: true,
  },
  'revoke-role': {
    name: 'revoke-role',
    method: 'DELETE',
    path: '/api/service/users/{userId}/revoke',
    scope: 'roles:write',
    writes: true,
  },
  'list-changes': {
    name: 'list-changes',
    method: 'GET',
    path: '/api/service/changes',
    scope: 'access:read',
    writes: false,
  },
} as const satisfies Record<string, ServiceRoute>;

export type ServiceRouteName = keyof typeof serviceRoutes;

/** Whether a route's path names a user. */
export type NamesUser<Route extends ServiceRoute> = Route['path'] extends `${string}{userId}${string}` ? true : false;
