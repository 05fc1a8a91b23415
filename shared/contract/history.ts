import * as v from 'valibot';
import {
  applicationChangePageSchema,
  type ChangeAction,
  changeActions,
  changePageSchema,
  narrowedChangePageSchema,
} from './change.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleChange, exampleCursor } from './examples.ts';
import { answers, pageQuery, pageQuerySchema } from './fields.ts';
import type { ManageOperation, ServiceOperation } from './operation.ts';

const actionNames: readonly string[] = changeActions;

const feedQuerySchema = v.strictObject({
  limit: pageQuery.limit,
  after: v.optional(v.pipe(v.string(), v.minLength(1, 'must not be empty; leave it out instead'))),
  actions: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => text.split(',').every((name) => actionNames.includes(name)),
        'must be actions separated by commas, such as access.changed,user.status.changed',
      ),
      v.transform((text) => text.split(',') as ChangeAction[]),
    ),
  ),
});

/** Reads forward only. */
export const listChangesOperation = {
  name: 'list-changes',
  method: 'GET',
  path: '/api/service/changes',
  scope: 'access:read',
  writes: false,
  query: feedQuerySchema,
  answer: answers<typeof applicationChangePageSchema>(),
  errors: ['cursor_expired'],
} as const satisfies ServiceOperation;

/* @__PURE__ */ documentOperation(listChangesOperation, () => ({
  answer: applicationChangePageSchema,
  tag: 'Service API',
  summary: 'Follow the changes',
  description:
    'The changes that concern the application, the oldest first: its own and those of its users in it, and of every user the global status, the erasing, and the creation anew of an erased id. What is visible is answered at once. Keep the cursor and send it with the next request: at once while there are items, else at your own interval. A change may come again until it is 15 seconds old, because one before it may become visible later; of two changes the one with the higher `id` holds. Operators stay unnamed, without their address.',
  example: { query: { limit: 1 }, answer: { items: [exampleChange], cursor: exampleCursor } },
}));

/** `after` reads forward, from the beginning when it is empty. */
const historyQuerySchema = v.strictObject({ ...pageQuery, after: v.optional(v.string()) });

export const listApplicationChangesOperation = {
  name: 'list-application-changes',
  method: 'GET',
  path: '/api/manage/applications/{appId}/changes',
  role: 'viewer',
  query: historyQuerySchema,
  answer: answers<typeof changePageSchema>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(listApplicationChangesOperation, () => ({
  answer: changePageSchema,
  tag: 'History',
  summary: 'Read the history of an application',
  description:
    'Its own changes and those of its users in it, the newest first; with `?after=` forward from a cursor, and from the beginning if that is empty.',
  example: { query: { limit: 1 }, answer: { items: [exampleChange], cursor: exampleCursor } },
}));

export const listUserChangesOperation = {
  name: 'list-user-changes',
  method: 'GET',
  path: '/api/manage/users/{userId}/changes',
  role: 'viewer',
  forLimited: 'narrowed',
  query: pageQuerySchema,
  answer: answers<typeof narrowedChangePageSchema>(),
  errors: ['user_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(listUserChangesOperation, () => ({
  answer: narrowedChangePageSchema,
  tag: 'History',
  summary: 'Read the history of a user',
  description: 'The newest first.',
  example: { query: { limit: 1 }, answer: { items: [exampleChange], cursor: exampleCursor } },
}));

/* @__PURE__ */ describeMembers(() => feedQuerySchema.entries, {
  actions: 'Only changes of these actions, separated by commas. Default: all.',
});
/* @__PURE__ */ describeMembers(() => [feedQuerySchema.entries, historyQuerySchema.entries], {
  after: 'The `cursor` of the previous answer, unchanged. Only newer changes follow.',
});
