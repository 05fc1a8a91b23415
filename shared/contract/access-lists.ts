import * as v from 'valibot';
import { setAccessBodySchema } from './access.ts';
import type { applicationUserSchema, userAccessSchema } from './access-lists-answers.ts';
import { accessStatuses, decisions } from './access-statuses.ts';
import type { Answer, NarrowedPageOf, PageOf } from './answers.ts';
import { bulkEntries } from './bulk.ts';
import type { bulkOutcomesSchema } from './bulk-answers.ts';
import { answers, pageQuery, pageQuerySchema, textSchema } from './fields.ts';
import type { ManageOperation } from './operation.ts';
import { maxSearchLength } from './user.ts';

/** One application with the user's access in it. */
export type UserAccessView = Answer<typeof userAccessSchema>;

export const listUserAccessOperation = {
  name: 'list-user-access',
  method: 'GET',
  path: '/api/manage/users/{userId}/access',
  role: 'viewer',
  forLimited: 'narrowed',
  query: pageQuerySchema,
  answer: answers<NarrowedPageOf<typeof userAccessSchema>>(),
  errors: ['user_not_found'],
} as const satisfies ManageOperation;

const applicationUsersQuerySchema = v.strictObject({
  ...pageQuery,
  status: v.optional(v.picklist(accessStatuses, 'must be "enabled" or "disabled"')),
  effectiveStatus: v.optional(v.picklist(accessStatuses, 'must be "enabled" or "disabled"')),
  decidedBy: v.optional(v.picklist(decisions, `must be one of ${decisions.join(', ')}`)),
  q: v.optional(textSchema(maxSearchLength)),
});

/** One user with the access in an application. */
export type ApplicationUserView = Answer<typeof applicationUserSchema>;

export const listApplicationUsersOperation = {
  name: 'list-application-users',
  method: 'GET',
  path: '/api/manage/applications/{appId}/users',
  role: 'viewer',
  query: applicationUsersQuerySchema,
  answer: answers<PageOf<typeof applicationUserSchema>>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/** One setting for many users. */
const setAccessInBulkBodySchema = v.strictObject({ ...setAccessBodySchema.entries, ...bulkEntries });

export const setAccessInBulkOperation = {
  name: 'set-access-in-bulk',
  method: 'POST',
  path: '/api/manage/applications/{appId}/access',
  role: 'support',
  body: setAccessInBulkBodySchema,
  answer: answers<typeof bulkOutcomesSchema>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/** The Management API: lists of access. */
export const accessListsManageOperations = {
  'list-application-users': listApplicationUsersOperation,
  'set-access-in-bulk': setAccessInBulkOperation,
  'list-user-access': listUserAccessOperation,
} as const;
