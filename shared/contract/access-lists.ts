import * as v from 'valibot';
import { accessSchema, accessStatuses, setAccessBodySchema } from './access.ts';
import { type Answer, extendedSchema, type PageOf, pageSchema } from './answers.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleAccess } from './examples.ts';
import { answers, pageQuery, pageQuerySchema } from './fields.ts';
import type { ManageOperation } from './operation.ts';

/** Users of one bulk request. */
export const maxUsersPerBulk = 100;

const userAccessSchema = /* @__PURE__ */ (() =>
  extendedSchema(accessSchema, { appName: v.string(), rolloutPercent: v.number() }))();
/** One application with the user's access in it. */
export type UserAccessView = Answer<typeof userAccessSchema>;

export const listUserAccessOperation = {
  name: 'list-user-access',
  method: 'GET',
  path: '/api/manage/users/{userId}/access',
  query: pageQuerySchema,
  answer: answers<PageOf<typeof userAccessSchema>>(),
  errors: ['user_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(listUserAccessOperation, () => ({
  answer: pageSchema(userAccessSchema),
  tag: 'Access',
  summary: 'List what a user may in each application',
  description: 'Every application, by id, also where nothing was ever set.',
  example: {
    query: { limit: 25 },
    answer: {
      items: [{ ...exampleAccess.disabled, appName: 'Billing and invoices', rolloutPercent: 100 }],
      cursor: null,
    },
  },
}));

const applicationUsersQuerySchema = v.strictObject({
  ...pageQuery,
  status: v.optional(v.picklist(accessStatuses, 'must be "enabled" or "disabled"')),
});

export const listApplicationUsersOperation = {
  name: 'list-application-users',
  method: 'GET',
  path: '/api/manage/applications/{appId}/users',
  query: applicationUsersQuerySchema,
  answer: answers<PageOf<typeof accessSchema>>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(listApplicationUsersOperation, () => ({
  answer: pageSchema(accessSchema),
  tag: 'Access',
  summary: 'List the users of an application',
  description: 'Those with an explicit status or a role in it, by id.',
  example: {
    query: { status: 'disabled', limit: 25 },
    answer: { items: [exampleAccess.disabled], cursor: null },
  },
}));

/** One setting for many users. */
const setAccessInBulkBodySchema = v.strictObject({
  ...setAccessBodySchema.entries,
  userIds: v.pipe(
    v.array(v.string('must be a string'), 'must be a list'),
    v.minLength(1, 'must name at least one user'),
    v.maxLength(maxUsersPerBulk, `must name at most ${maxUsersPerBulk} users`),
    v.check((ids) => new Set(ids).size === ids.length, 'must name each user once'),
    v.metadata({ uniqueItems: true }),
  ),
});

/** The outcome for one user of a bulk request. */
const bulkOutcomeSchema = /* @__PURE__ */ (() =>
  v.object({
    /** As it was asked for, also when it is no user id. */
    userId: v.string(),
    outcome: v.picklist(['changed', 'unchanged', 'failed']),
    problem: v.exactOptional(v.object({ code: v.string(), detail: v.string() })),
  }))();
export type BulkOutcome = Answer<typeof bulkOutcomeSchema>;

const bulkOutcomesSchema = /* @__PURE__ */ (() => v.object({ items: v.array(bulkOutcomeSchema) }))();

export const setAccessInBulkOperation = {
  name: 'set-access-in-bulk',
  method: 'POST',
  path: '/api/manage/applications/{appId}/access',
  body: setAccessInBulkBodySchema,
  answer: answers<typeof bulkOutcomesSchema>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(setAccessInBulkOperation, () => ({
  answer: bulkOutcomesSchema,
  tag: 'Access',
  summary: 'Set the status of many users',
  description: 'Up to 100 users, each by itself: an outcome for every one, whether or not others fail.',
  example: {
    body: { userIds: ['ada', 'grace'], status: 'disabled', reason: 'contract ended' },
    answer: {
      items: [
        { userId: 'ada', outcome: 'changed' },
        {
          userId: 'grace',
          outcome: 'failed',
          problem: { code: 'user_not_found', detail: 'There is no user with this id. Create the user first.' },
        },
      ],
    },
  },
}));

/* @__PURE__ */ describeMembers(() => userAccessSchema.entries, {
  appName: 'What people call the application.',
  rolloutPercent: 'How many percent of the users without an explicit status the application is open to.',
});
/* @__PURE__ */ describeMembers(() => applicationUsersQuerySchema.entries, { status: 'Only those of this status.' });
/* @__PURE__ */ describeMembers(() => setAccessInBulkBodySchema.entries, { userIds: 'The users, each once.' });
/* @__PURE__ */ describeMembers(() => bulkOutcomesSchema.entries, { items: 'The items of this page.' });
/* @__PURE__ */ describeMembers(() => bulkOutcomeSchema.entries, {
  userId: 'The user, by the id that your applications share.',
  outcome: 'The outcome for this user.',
  problem: 'Why it failed; only of a failed one.',
});
/* @__PURE__ */ describeMembers(() => bulkOutcomeSchema.entries.problem.wrapped.entries, {
  code: 'What programs decide by. New codes may be added.',
  detail: 'What is wrong this time, and what to do.',
});
