import * as v from 'valibot';
import { changedAccessSchema } from './access.ts';
import { reasonBodySchema, reasonEntries } from './change-reason.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleAccess, exampleChanged } from './examples.ts';
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

/* @__PURE__ */ documentOperation(assignRoleOperation, () => ({
  answer: changedAccessSchema,
  table: {
    reads: ['user'],
    // Members are deleted whose grants have expired.
    writes: {
      PutItem: ['nonce', 'user', 'accessEntry', 'member', 'feed'],
      UpdateItem: ['user'],
      DeleteItem: ['member'],
    },
  },
  settings: ['changeRetentionDays', 'requireReason'],
  tag: 'Service API',
  summary: 'Assign a role to a user',
  description:
    'The role must be defined in the application. Assigning it again with another `expiresAt` replaces the expiry.',
  example: {
    body: { role: 'editor', expiresAt: '2027-06-30T22:00:00Z' },
    answer: { ...exampleAccess.assigned, ...exampleChanged },
  },
}));

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

/* @__PURE__ */ documentOperation(revokeRoleOperation, () => ({
  answer: changedAccessSchema,
  table: {
    reads: ['user'],
    writes: { PutItem: ['nonce', 'user', 'feed'], UpdateItem: ['user'], DeleteItem: ['member'] },
  },
  settings: ['changeRetentionDays', 'requireReason'],
  tag: 'Service API',
  summary: 'Revoke a role from a user',
  description:
    'Succeeds if the user does not hold the role. The role goes into the body, or into the query for clients and proxies that drop the body of a DELETE; both must agree. The reason and the ticket go into the body only.',
  example: { body: { role: 'editor' }, answer: { ...exampleAccess.revoked, ...exampleChanged } },
}));

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

/* @__PURE__ */ documentOperation(assignUserRoleOperation, () => ({
  answer: changedAccessSchema,
  tag: 'Access',
  summary: 'Assign a role to a user in an application',
  description: 'Without a body the grant does not expire.',
  example: {
    body: { expiresAt: null, reason: 'covers for Grace', ticket: 'INC-1234' },
    answer: { ...exampleAccess.reassigned, ...exampleChanged },
  },
}));

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

/* @__PURE__ */ documentOperation(revokeUserRoleOperation, () => ({
  answer: changedAccessSchema,
  tag: 'Access',
  summary: 'Revoke a role from a user in an application',
  description: 'Succeeds if the user does not hold the role.',
  example: { answer: { ...exampleAccess.revokedAgain, ...exampleChanged } },
}));

/* @__PURE__ */ describeMembers(() => [assignRoleBodySchema.entries, assignUserRoleBodySchema.wrapped.entries], {
  expiresAt: 'When the grant expires; `null` for never.',
});
/* @__PURE__ */ describeMembers(() => revokeRoleOperation.query.entries, {
  role: 'The role, for clients and proxies that drop the body of a DELETE.',
});
