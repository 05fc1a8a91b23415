import * as v from 'valibot';
import type { Answer, ChangedOf, deletionSchema, PageOf } from './answers.ts';
import { fieldEntries } from './field-forms.ts';
import { answers, dryRunQuerySchema, forceQuerySchema, pageQuerySchema } from './fields.ts';
import type { ManageOperation } from './operation.ts';
import type { roleSchema } from './role-answers.ts';
import { roleFields } from './role-fields.ts';

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

export const getRoleOperation = {
  name: 'get-role',
  method: 'GET',
  path: '/api/manage/applications/{appId}/roles/{role}',
  role: 'viewer',
  answer: answers<typeof roleSchema>(),
  errors: ['application_not_found', 'role_not_found'],
} as const satisfies ManageOperation;

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

/** The Management API: roles. */
export const roleManageOperations = {
  'list-roles': listRolesOperation,
  'define-role': defineRoleOperation,
  'get-role': getRoleOperation,
  'delete-role': deleteRoleOperation,
} as const;
