import * as v from 'valibot';
import { accessSchema, accessStatuses, decisions, setAccessBodySchema } from './access.ts';
import {
  type Answer,
  extendedSchema,
  type NarrowedPageOf,
  narrowedPageSchema,
  type PageOf,
  pageSchema,
} from './answers.ts';
import { bulkDescription, bulkEntries, bulkOutcomesSchema, exampleOutcomes } from './bulk.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleAccess, exampleSetBy, exampleUser } from './examples.ts';
import { answers, pageQuery, pageQuerySchema, textSchema } from './fields.ts';
import type { ManageOperation } from './operation.ts';
import { applicationFields, fieldEntries, userFields } from './resource-fields.ts';
import { setBySchema } from './set-by.ts';
import { maxSearchLength } from './user.ts';

const userAccessSchema = /* @__PURE__ */ (() =>
  extendedSchema(accessSchema, {
    appName: v.string(),
    rolloutPercent: v.number(),
    requireReason: applicationFields.requireReason.shown,
    statusSetBy: v.nullable(setBySchema),
  }))();
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

/* @__PURE__ */ documentOperation(listUserAccessOperation, () => ({
  answer: narrowedPageSchema(userAccessSchema),
  opensPage: true,
  tag: 'Access',
  summary: "List a user's access in every application",
  description: 'Every application, ordered by id, including those where nothing was ever set.',
  example: {
    query: { limit: 25 },
    answer: {
      items: [
        {
          ...exampleAccess.disabled,
          appName: 'Billing and invoices',
          rolloutPercent: 100,
          requireReason: null,
          statusSetBy: exampleSetBy,
        },
      ],
      cursor: null,
    },
  },
}));

const applicationUsersQuerySchema = v.strictObject({
  ...pageQuery,
  status: v.optional(v.picklist(accessStatuses, 'must be "enabled" or "disabled"')),
  effectiveStatus: v.optional(v.picklist(accessStatuses, 'must be "enabled" or "disabled"')),
  decidedBy: v.optional(v.picklist(decisions, `must be one of ${decisions.join(', ')}`)),
  q: v.optional(textSchema(maxSearchLength)),
});

const applicationUserSchema = /* @__PURE__ */ (() =>
  extendedSchema(accessSchema, {
    ...fieldEntries(userFields, 'shown'),
    statusSetBy: v.nullable(setBySchema),
    userStatusSetBy: v.nullable(setBySchema),
  }))();
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

/* @__PURE__ */ documentOperation(listApplicationUsersOperation, () => ({
  answer: pageSchema(applicationUserSchema),
  opensPage: true,
  tag: 'Access',
  summary: 'List the users of an application',
  description:
    'Users with an explicit status or a role in it, ordered by id. With `effectiveStatus` or `decidedBy`, all users by effective status, including those for whom nothing was ever set. Such a page examines a bounded number of users, so it may be short or empty and still have a cursor. `q` searches all users as `GET /users` does, in its order, and shows their effective access. None of these three can be combined with `status`, which filters by the stored setting.',
  example: {
    query: { effectiveStatus: 'disabled', limit: 25 },
    answer: {
      items: [
        {
          ...exampleAccess.disabled,
          displayName: 'Ada King',
          email: exampleUser.email,
          statusSetBy: exampleSetBy,
          userStatusSetBy: null,
        },
      ],
      cursor: null,
    },
  },
}));

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

/* @__PURE__ */ documentOperation(setAccessInBulkOperation, () => ({
  answer: bulkOutcomesSchema,
  tag: 'Access',
  summary: 'Set the status of many users',
  description: bulkDescription,
  example: {
    body: { userIds: ['ada', 'grace'], status: 'disabled', reason: 'contract ended' },
    answer: { items: exampleOutcomes },
  },
}));

/* @__PURE__ */ describeMembers(() => userAccessSchema.entries, {
  appName: 'The name of the application for people.',
  rolloutPercent: 'The percentage of users without an explicit status who have access.',
  requireReason: 'Whose changes in the application require a reason, by its own setting.',
});
/* @__PURE__ */ describeMembers(() => [userAccessSchema.entries, applicationUserSchema.entries], {
  statusSetBy: 'Who set the status in the application; `null` if it was never set.',
});
/* @__PURE__ */ describeMembers(() => applicationUserSchema.entries, {
  userStatusSetBy: 'Who made the user inactive; `null` for an active user.',
});
/* @__PURE__ */ describeMembers(() => applicationUsersQuerySchema.entries, {
  status: 'Only users with this stored status.',
  effectiveStatus: 'Only users with this effective status.',
  decidedBy: 'Only users whose access is decided by this.',
  q: 'Only users with words that begin like these, in any order.',
});
