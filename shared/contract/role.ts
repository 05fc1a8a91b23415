import * as v from 'valibot';
import {
  type Answer,
  type ChangedOf,
  changedSchema,
  deletionSchema,
  type PageOf,
  pageSchema,
  versionedSchema,
} from './answers.ts';
import { documentOperation } from './documentation.ts';
import { exampleRole } from './examples.ts';
import {
  answers,
  appIdSchema,
  dryRunQuerySchema,
  forceQuerySchema,
  pageQuerySchema,
  roleNameSchema,
} from './fields.ts';
import type { ManageOperation } from './operation.ts';
import { fieldEntries, roleFields } from './resource-fields.ts';

const roleSchema = /* @__PURE__ */ (() =>
  versionedSchema({
    appId: appIdSchema,
    role: roleNameSchema,
    ...fieldEntries(roleFields, 'shown'),
  }))();
export type RoleView = Answer<typeof roleSchema>;

export const listRolesOperation = {
  name: 'list-roles',
  method: 'GET',
  path: '/api/manage/applications/{appId}/roles',
  role: 'viewer',
  query: pageQuerySchema,
  answer: answers<PageOf<typeof roleSchema>>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(listRolesOperation, () => ({
  answer: pageSchema(roleSchema),
  opensPage: true,
  tag: 'Roles',
  summary: 'List the roles of an application',
  description: 'Ordered by name.',
  example: { query: { limit: 25 }, answer: { items: [exampleRole], cursor: null } },
}));

const defineRoleBodySchema = v.optional(v.strictObject(fieldEntries(roleFields, 'body')), {});

export const defineRoleOperation = {
  name: 'define-role',
  method: 'PUT',
  path: '/api/manage/applications/{appId}/roles/{role}',
  role: 'admin',
  query: dryRunQuerySchema,
  body: defineRoleBodySchema,
  answer: answers<ChangedOf<typeof roleSchema>>(),
  statuses: [201, 200],
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(defineRoleOperation, () => ({
  answer: changedSchema(roleSchema),
  tag: 'Roles',
  summary: 'Define or describe a role',
  description:
    '201 if it is new, 200 if it already existed. A deleted role that is defined again starts without members: its deletion is completed first, which can take some seconds.',
  example: { body: { description: 'May change invoices' }, answer: { ...exampleRole, changed: true } },
}));

export const getRoleOperation = {
  name: 'get-role',
  method: 'GET',
  path: '/api/manage/applications/{appId}/roles/{role}',
  role: 'viewer',
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
  role: 'admin',
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
    'Refused while users hold it, unless `?force=true`, which revokes it from all users. Succeeds if the role does not exist. Takes about ten seconds, until no earlier request can still assign the role.',
  example: { query: { force: 'true' }, answer: { changed: true, complete: true } },
}));
