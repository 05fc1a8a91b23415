export interface ManageRoute {
  /** The operation in `shared/domain/`, and the OpenAPI operation. */
  readonly name: string;
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Path template in the notation that API Gateway and OpenAPI share. */
  readonly path: `/api/manage/${string}`;
}

const applications = '/api/manage/applications';
const application = `${applications}/{appId}` as const;
const users = '/api/manage/users';
const user = `${users}/{userId}` as const;

/** The Management API: one function takes them all, by either of its two doors. */
export const manageRoutes = {
  'create-application': { name: 'create-application', method: 'POST', path: applications },
  'list-applications': { name: 'list-applications', method: 'GET', path: applications },
  'get-application': { name: 'get-application', method: 'GET', path: application },
  'update-application': { name: 'update-application', method: 'PATCH', path: application },
  'delete-application': { name: 'delete-application', method: 'DELETE', path: application },
  'issue-key': { name: 'issue-key', method: 'POST', path: `${application}/keys` },
  'list-keys': { name: 'list-keys', method: 'GET', path: `${application}/keys` },
  'revoke-key': { name: 'revoke-key', method: 'DELETE', path: `${application}/keys/{keyId}` },
  'rotate-key': { name: 'rotate-key', method: 'POST', path: `${application}/keys/{keyId}/rotate` },
  'list-roles': { name: 'list-roles', method: 'GET', path: `${application}/roles` },
  'define-role': { name: 'define-role', method: 'PUT', path: `${application}/roles/{role}` },
  'get-role': { name: 'get-role', method: 'GET', path: `${application}/roles/{role}` },
  'delete-role': { name: 'delete-role', method: 'DELETE', path: `${application}/roles/{role}` },
  'list-members': { name: 'list-members', method: 'GET', path: `${application}/roles/{role}/users` },
  'list-application-users': { name: 'list-application-users', method: 'GET', path: `${application}/users` },
  'set-access-in-bulk': { name: 'set-access-in-bulk', method: 'POST', path: `${application}/access` },
  'list-application-changes': { name: 'list-application-changes', method: 'GET', path: `${application}/changes` },
  'list-users': { name: 'list-users', method: 'GET', path: users },
  'create-user': { name: 'create-user', method: 'PUT', path: user },
  'get-user': { name: 'get-user', method: 'GET', path: user },
  'update-user': { name: 'update-user', method: 'PATCH', path: user },
  'delete-user': { name: 'delete-user', method: 'DELETE', path: user },
  'set-user-status': { name: 'set-user-status', method: 'PUT', path: `${user}/status` },
  'list-user-access': { name: 'list-user-access', method: 'GET', path: `${user}/access` },
  'set-user-access': { name: 'set-user-access', method: 'PUT', path: `${user}/access/{appId}` },
  'assign-user-role': { name: 'assign-user-role', method: 'PUT', path: `${user}/roles/{appId}/{role}` },
  'revoke-user-role': { name: 'revoke-user-role', method: 'DELETE', path: `${user}/roles/{appId}/{role}` },
  'list-user-changes': { name: 'list-user-changes', method: 'GET', path: `${user}/changes` },
} as const satisfies Record<string, ManageRoute>;

export type ManageRouteName = keyof typeof manageRoutes;

/** What a token must hold to come in by the door of the HTTP API. */
export const manageScope = 'auth-service/manage';
