import * as v from 'valibot';
import type { changedAccessSchema } from './access-answers.ts';
import { reasonBodySchema, reasonEntries } from './change-reason.ts';
import { answers, dryRunQuerySchema, roleNameSchema, timestampSchema } from './fields.ts';
import type { ManageOperation, ServiceOperation } from './operation.ts';

/** Grants of one user in one application that have not ended; keeps the item far below DynamoDB's 400 KB. */
export const maxRolesPerAccess = 500;

const expiresAt = v.nullish(timestampSchema, null);

export const assignRoleBodySchema = v.strictObject({ role: roleNameSchema, expiresAt, ...reasonEntries });
/** The grant alone; the reason belongs to its Change. */
export type AssignRoleBody = Omit<v.InferOutput<typeof assignRoleBodySchema>, keyof typeof reasonEntries>;

export const assignRoleOperation = {
  name: 'assign-role',
  method: 'POST',
  path: '/api/service/roles/{userId}/assign',
  scope: 'roles:write',
  writes: true,
  ifMatch: true,
  body: assignRoleBodySchema,
  answer: answers<typeof changedAccessSchema>(),
  errors: ['user_not_found', 'role_not_found', 'reason_required'],
} as const satisfies ServiceOperation;

export const revokeRoleBodySchema = v.strictObject({ role: roleNameSchema, ...reasonEntries });

/** The role goes into the body, or into the query for clients and proxies that drop the body of a DELETE; a reason, which can name people, only into the body. */
export const revokeRoleOperation = {
  name: 'revoke-role',
  method: 'DELETE',
  path: '/api/service/users/{userId}/revoke',
  scope: 'roles:write',
  writes: true,
  ifMatch: true,
  query: v.strictObject({ role: v.exactOptional(roleNameSchema) }),
  body: v.optional(revokeRoleBodySchema),
  answer: answers<typeof changedAccessSchema>(),
  errors: ['user_not_found', 'reason_required'],
} as const satisfies ServiceOperation;

const assignUserRoleBodySchema = v.optional(v.strictObject({ expiresAt, ...reasonEntries }), {});

export const assignUserRoleOperation = {
  name: 'assign-user-role',
  method: 'PUT',
  path: '/api/manage/users/{userId}/roles/{appId}/{role}',
  role: 'support',
  ifMatch: true,
  query: dryRunQuerySchema,
  body: assignUserRoleBodySchema,
  answer: answers<typeof changedAccessSchema>(),
  errors: ['user_not_found', 'application_not_found', 'role_not_found', 'reason_required'],
} as const satisfies ManageOperation;

export const revokeUserRoleOperation = {
  name: 'revoke-user-role',
  method: 'DELETE',
  path: '/api/manage/users/{userId}/roles/{appId}/{role}',
  role: 'support',
  ifMatch: true,
  query: dryRunQuerySchema,
  body: reasonBodySchema,
  answer: answers<typeof changedAccessSchema>(),
  errors: ['user_not_found', 'application_not_found', 'reason_required'],
} as const satisfies ManageOperation;

/** The Service API: roles of users. */
export const grantServiceOperations = {
  'assign-role': assignRoleOperation,
  'revoke-role': revokeRoleOperation,
} as const;

/** The Management API: roles of users. */
export const grantManageOperations = {
  'assign-user-role': assignUserRoleOperation,
  'revoke-user-role': revokeUserRoleOperation,
} as const;
