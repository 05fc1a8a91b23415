import * as v from 'valibot';
import { changedAccessSchema } from './access.ts';
import {
  type Answer,
  type ChangedOf,
  changedSchema,
  deletionSchema,
  type PageOf,
  pageSchema,
  versionedSchema,
} from './answers.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleAccess, exampleRole } from './examples.ts';
import {
  answers,
  appIdSchema,
  forceQuerySchema,
  pageQuerySchema,
  roleNameSchema,
  textSchema,
  timestampSchema,
  userIdSchema,
} from './fields.ts';
import type { ManageOperation, ServiceOperation } from './operation.ts';

/** Grants of one user in one application that have not ended; keeps the item far below DynamoDB's 400 KB. */
export const maxRolesPerAccess = 500;

/** How long the name of a deleted role cannot be defined again: longer than any request lives. */
export const roleNameReuseSeconds = 15;

const expiresAt = v.nullish(timestampSchema, null);

const assignRoleBodySchema = v.strictObject({ role: roleNameSchema, expiresAt });
export type AssignRoleBody = v.InferOutput<typeof assignRoleBodySchema>;

export const assignRoleOperation = {
  name: 'assign-role',
  method: 'POST',
  path: '/api/service/roles/{userId}/assign',
  scope: 'roles:write',
  writes: true,
  ifMatch: true,
  body: assignRoleBodySchema,
  answer: answers<typeof changedAccessSchema>(),
  errors: ['user_not_found', 'role_not_found'],
} as const satisfies ServiceOperation;

/* @__PURE__ */ documentOperation(assignRoleOperation, () => ({
  answer: changedAccessSchema,
  tag: 'Service API',
  summary: 'Assign a role to a user',
  description:
    'The role must be defined in the application. Assigned again with another `expiresAt`, it takes the new end.',
  example: {
    body: { role: 'editor', expiresAt: '2027-06-30T22:00:00Z' },
    answer: { ...exampleAccess.assigned, changed: true },
  },
}));

const revokeRoleBodySchema = v.strictObject({ role: roleNameSchema });

/** The role goes into the body, or into the query for clients and proxies that drop the body of a DELETE. */
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
  errors: ['user_not_found'],
} as const satisfies ServiceOperation;

/* @__PURE__ */ documentOperation(revokeRoleOperation, () => ({
  answer: changedAccessSchema,
  tag: 'Service API',
  summary: 'Revoke a role from a user',
  description:
    'A role that the user does not hold is no error. The role goes into the body, or into the query for clients and proxies that drop the body of a DELETE; both must agree.',
  example: { body: { role: 'editor' }, answer: { ...exampleAccess.revoked, changed: true } },
}));

const assignUserRoleBodySchema = v.optional(v.strictObject({ expiresAt }), {});

export const assignUserRoleOperation = {
  name: 'assign-user-role',
  method: 'PUT',
  path: '/api/manage/users/{userId}/roles/{appId}/{role}',
  ifMatch: true,
  body: assignUserRoleBodySchema,
  answer: answers<typeof changedAccessSchema>(),
  errors: ['user_not_found', 'application_not_found', 'role_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(assignUserRoleOperation, () => ({
  answer: changedAccessSchema,
  tag: 'Access',
  summary: 'Assign a role to a user in an application',
  description: 'Without a body the grant never ends by itself.',
  example: { body: { expiresAt: null }, answer: { ...exampleAccess.reassigned, changed: true } },
}));

export const revokeUserRoleOperation = {
  name: 'revoke-user-role',
  method: 'DELETE',
  path: '/api/manage/users/{userId}/roles/{appId}/{role}',
  ifMatch: true,
  answer: answers<typeof changedAccessSchema>(),
  errors: ['user_not_found', 'application_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(revokeUserRoleOperation, () => ({
  answer: changedAccessSchema,
  tag: 'Access',
  summary: 'Revoke a role from a user in an application',
  description: 'One that the user does not hold is no error.',
  example: { answer: { ...exampleAccess.revokedAgain, changed: true } },
}));

const roleSchema = /* @__PURE__ */ (() =>
  versionedSchema({
    appId: appIdSchema,
    role: roleNameSchema,
    description: v.nullable(v.string()),
  }))();
export type RoleView = Answer<typeof roleSchema>;

export const listRolesOperation = {
  name: 'list-roles',
  method: 'GET',
  path: '/api/manage/applications/{appId}/roles',
  query: pageQuerySchema,
  answer: answers<PageOf<typeof roleSchema>>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(listRolesOperation, () => ({
  answer: pageSchema(roleSchema),
  tag: 'Roles',
  summary: 'List the roles of an application',
  description: 'By name.',
  example: { query: { limit: 25 }, answer: { items: [exampleRole], cursor: null } },
}));

const defineRoleBodySchema = v.optional(v.strictObject({ description: v.nullish(textSchema(256), null) }), {});

export const defineRoleOperation = {
  name: 'define-role',
  method: 'PUT',
  path: '/api/manage/applications/{appId}/roles/{role}',
  body: defineRoleBodySchema,
  answer: answers<ChangedOf<typeof roleSchema>>(),
  statuses: [201, 200],
  errors: ['application_not_found', 'role_in_use'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(defineRoleOperation, () => ({
  answer: changedSchema(roleSchema),
  tag: 'Roles',
  summary: 'Define or describe a role',
  description:
    '201 if it is new, 200 if it was there. The name of a role that was deleted is refused for 15 seconds, longer than any request lives.',
  example: { body: { description: 'May change invoices' }, answer: { ...exampleRole, changed: true } },
}));

export const getRoleOperation = {
  name: 'get-role',
  method: 'GET',
  path: '/api/manage/applications/{appId}/roles/{role}',
  answer: answers<typeof roleSchema>(),
  errors: ['application_not_found', 'role_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(getRoleOperation, () => ({
  answer: roleSchema,
  tag: 'Roles',
  summary: 'Read a role',
  example: { answer: exampleRole },
}));

export const deleteRoleOperation = {
  name: 'delete-role',
  method: 'DELETE',
  path: '/api/manage/applications/{appId}/roles/{role}',
  query: forceQuerySchema,
  answer: answers<typeof deletionSchema>(),
  statuses: [200, 202],
  errors: ['application_not_found', 'role_in_use'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(deleteRoleOperation, () => ({
  answer: deletionSchema,
  tag: 'Roles',
  summary: 'Delete a role',
  description:
    'Refused while users hold it, unless `?force=true`, which revokes it from everyone. One that does not exist is no error.',
  example: { query: { force: 'true' }, answer: { changed: true, complete: true } },
}));

const memberSchema = /* @__PURE__ */ (() =>
  v.object({ userId: userIdSchema, expiresAt: v.nullable(timestampSchema) }))();
export type MemberView = Answer<typeof memberSchema>;

export const listMembersOperation = {
  name: 'list-members',
  method: 'GET',
  path: '/api/manage/applications/{appId}/roles/{role}/users',
  query: pageQuerySchema,
  answer: answers<PageOf<typeof memberSchema>>(),
  errors: ['application_not_found', 'role_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(listMembersOperation, () => ({
  answer: pageSchema(memberSchema),
  tag: 'Roles',
  summary: 'List the users who hold a role',
  description: 'By id.',
  example: {
    query: { limit: 25 },
    answer: { items: [{ userId: 'ada', expiresAt: '2027-06-30T22:00:00.000Z' }], cursor: null },
  },
}));

/* @__PURE__ */ describeMembers(
  () => [assignRoleBodySchema.entries, assignUserRoleBodySchema.wrapped.entries, memberSchema.entries],
  {
    expiresAt: 'When it ends by itself; `null` is never.',
  },
);
/* @__PURE__ */ describeMembers(() => revokeRoleOperation.query.entries, {
  role: 'The role, for clients and proxies that drop the body of a DELETE.',
});
/* @__PURE__ */ describeMembers(() => [roleSchema.entries, defineRoleBodySchema.wrapped.entries], {
  description: 'What the role is for.',
});
