import * as v from 'valibot';
import type { Answer, PageOf } from './answers.ts';
import { bulkEntries } from './bulk.ts';
import type { bulkOutcomesSchema } from './bulk-answers.ts';
import { reasonEntries } from './change-reason.ts';
import { answers, pageQuerySchema, timestampSchema } from './fields.ts';
import type { ManageOperation } from './operation.ts';
import type { memberSchema } from './role-members-answers.ts';

export type MemberView = Answer<typeof memberSchema>;

export const listMembersOperation = {
  name: 'list-members',
  method: 'GET',
  path: '/api/manage/applications/{appId}/roles/{role}/users',
  role: 'viewer',
  query: pageQuerySchema,
  answer: answers<PageOf<typeof memberSchema>>(),
  errors: ['application_not_found', 'role_not_found'],
} as const satisfies ManageOperation;

const assignRoleInBulkBodySchema = v.strictObject({
  expiresAt: v.nullish(timestampSchema, null),
  ...reasonEntries,
  ...bulkEntries,
});

export const assignRoleInBulkOperation = {
  name: 'assign-role-in-bulk',
  method: 'POST',
  path: '/api/manage/applications/{appId}/roles/{role}/users',
  role: 'support',
  body: assignRoleInBulkBodySchema,
  answer: answers<typeof bulkOutcomesSchema>(),
  errors: ['application_not_found', 'role_not_found'],
} as const satisfies ManageOperation;

const revokeRoleInBulkBodySchema = v.strictObject({ ...reasonEntries, ...bulkEntries });

/** Not a DELETE, whose body some proxies drop. */
export const revokeRoleInBulkOperation = {
  name: 'revoke-role-in-bulk',
  method: 'POST',
  path: '/api/manage/applications/{appId}/roles/{role}/users/remove',
  role: 'support',
  body: revokeRoleInBulkBodySchema,
  answer: answers<typeof bulkOutcomesSchema>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/** The Management API: the members of roles. */
export const roleMembersManageOperations = {
  'list-members': listMembersOperation,
  'assign-role-in-bulk': assignRoleInBulkOperation,
  'revoke-role-in-bulk': revokeRoleInBulkOperation,
} as const;
