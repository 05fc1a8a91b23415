import * as v from 'valibot';
import { type Answer, type PageOf, pageSchema } from './answers.ts';
import { bulkDescription, bulkEntries, bulkOutcomesSchema, exampleOutcomes } from './bulk.ts';
import { reasonEntries } from './change-reason.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { answers, pageQuerySchema, timestampSchema, userIdSchema } from './fields.ts';
import type { ManageOperation } from './operation.ts';
import { fieldEntries, userFields } from './resource-fields.ts';

const memberSchema = /* @__PURE__ */ (() =>
  v.object({
    userId: userIdSchema,
    ...fieldEntries(userFields, 'shown'),
    expiresAt: v.nullable(timestampSchema),
  }))();
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

/* @__PURE__ */ documentOperation(listMembersOperation, () => ({
  answer: pageSchema(memberSchema),
  tag: 'Roles',
  summary: 'List the users who hold a role',
  description: 'Ordered by id.',
  example: {
    query: { limit: 25 },
    answer: {
      items: [
        {
          userId: 'ada',
          displayName: 'Ada King',
          email: 'ada@example.org',
          expiresAt: '2027-06-30T22:00:00.000Z',
        },
      ],
      cursor: null,
    },
  },
}));

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

/* @__PURE__ */ documentOperation(assignRoleInBulkOperation, () => ({
  answer: bulkOutcomesSchema,
  tag: 'Roles',
  summary: 'Assign a role to many users',
  description: bulkDescription,
  example: { body: { userIds: ['ada', 'grace'], expiresAt: null }, answer: { items: exampleOutcomes } },
}));

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

/* @__PURE__ */ documentOperation(revokeRoleInBulkOperation, () => ({
  answer: bulkOutcomesSchema,
  tag: 'Roles',
  summary: 'Revoke a role from many users',
  description: bulkDescription,
  example: {
    body: { userIds: ['ada', 'grace'], reason: 'project ended', ticket: 'INC-1234' },
    answer: { items: exampleOutcomes },
  },
}));

/* @__PURE__ */ describeMembers(() => memberSchema.entries, {
  expiresAt: 'When the grant expires; `null` for never.',
});
/* @__PURE__ */ describeMembers(() => assignRoleInBulkBodySchema.entries, {
  expiresAt: 'When the grants expire; `null` for never.',
});
