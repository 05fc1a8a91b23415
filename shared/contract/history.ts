import * as v from 'valibot';
import { type Answer, reindexingSchema } from './answers.ts';
import {
  applicationChangePageSchema,
  type ChangeAction,
  changeActions,
  changeIntegritySchema,
  changePageSchema,
  narrowedChangePageSchema,
} from './change.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleChange, exampleChangeView, exampleCursor } from './examples.ts';
import { answers, appIdSchema, pageQuery, pageQuerySchema, timestampSchema, userIdSchema } from './fields.ts';
import type { ManageOperation, ServiceOperation } from './operation.ts';

const actionNames: readonly string[] = changeActions;

const notEmpty = 'must not be empty; leave it out instead';

const actionsSchema = v.optional(
  v.pipe(
    v.string(),
    v.check(
      (text) => text.split(',').every((name) => actionNames.includes(name)),
      'must be actions separated by commas, such as access.changed,user.status.changed',
    ),
    v.transform((text) => text.split(',') as ChangeAction[]),
  ),
);

const feedQuerySchema = v.strictObject({
  limit: pageQuery.limit,
  after: v.optional(v.pipe(v.string(), v.minLength(1, notEmpty))),
  actions: actionsSchema,
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
  table: { lists: ['userChanges', 'applicationChanges'] },
  settings: ['changeRetentionDays'],
  calledByCanary: true,
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
  opensPage: true,
  tag: 'History',
  summary: 'Read the history of an application',
  description:
    'Its own changes and those of its users in it, the newest first, and since it was created what concerns users in every application: the global status, the erasing, and the creation anew of an erased id. With `?after=` forward from a cursor, and from the beginning if that is empty.',
  example: { query: { limit: 1 }, answer: { items: [exampleChangeView], cursor: exampleCursor } },
}));

const userHistoryQuerySchema = v.strictObject({ ...pageQuery, appId: v.optional(appIdSchema) });

export const listUserChangesOperation = {
  name: 'list-user-changes',
  method: 'GET',
  path: '/api/manage/users/{userId}/changes',
  role: 'viewer',
  forLimited: 'narrowed',
  query: userHistoryQuerySchema,
  answer: answers<typeof narrowedChangePageSchema>(),
  errors: ['user_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(listUserChangesOperation, () => ({
  answer: narrowedChangePageSchema,
  tag: 'History',
  summary: 'Read the history of a user',
  description: 'The newest first.',
  example: { query: { limit: 1 }, answer: { items: [exampleChangeView], cursor: exampleCursor } },
}));

/** Changes of one request to verify them. */
export const maxChangesToVerify = 100;

/** A Change of an export, as another version may have written it, whole or redacted. */
export const postedChangeSchema = v.pipe(
  v.looseObject({
    id: v.string('must be a string'),
    integrity: v.exactOptional(v.strictObject(changeIntegritySchema.entries)),
  }),
  v.check((change) => isFlat(change), 'must be a change, as an export has it'),
  v.metadata({ additionalProperties: true }),
);
export type PostedChange = v.InferOutput<typeof postedChangeSchema>;

/** A Change's members hold no more than text, numbers and the like, or one object of these. */
function isFlat(change: object): boolean {
  const isPlain = (value: unknown) => typeof value !== 'object' || value === null;
  return Object.values(change).every((member) => isPlain(member) || Object.values(member).every(isPlain));
}

const verifyChangesBodySchema = v.strictObject({
  changes: v.pipe(
    v.array(postedChangeSchema, 'must be a list'),
    v.minLength(1, 'must have at least one change'),
    v.maxLength(maxChangesToVerify, `must have at most ${maxChangesToVerify} changes`),
  ),
});

const changeVerdictSchema = /* @__PURE__ */ (() =>
  v.object({ id: v.string(), verdict: v.picklist(['unchanged', 'changed', 'without-mac', 'unknown-root']) }))();
/** What the service says of one Change of an export. */
export type ChangeVerdict = Answer<typeof changeVerdictSchema>;

const changeVerdictsSchema = /* @__PURE__ */ (() => v.object({ items: v.array(changeVerdictSchema) }))();

/** For every viewer, also a limited one: it says nothing that is not in what was sent. */
export const verifyChangesOperation = {
  name: 'verify-changes',
  method: 'POST',
  path: '/api/manage/changes/verify',
  role: 'viewer',
  forLimited: 'whole',
  body: verifyChangesBodySchema,
  answer: answers<typeof changeVerdictsSchema>(),
  errors: [],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(verifyChangesOperation, () => ({
  answer: changeVerdictsSchema,
  tag: 'History',
  summary: 'Verify changes of an export',
  description:
    'Whether each change is as the service wrote it: up to 100, from an export or an event, whole or redacted. Reads nothing. Whether one is missing between two shows from `integrity.previous`; `auth-service history verify` follows it.',
  example: {
    body: { changes: [exampleChange] },
    answer: { items: [{ id: exampleChange.id, verdict: 'without-mac' }] },
  },
}));

/* @__PURE__ */ describeMembers(() => postedChangeSchema.pipe[0].entries, {
  id: 'A ULID. Deliveries of the same change have the same id.',
  integrity: 'Without it, as in the feed of an application, the change cannot be verified.',
});
/* @__PURE__ */ describeMembers(() => verifyChangesBodySchema.entries, {
  changes: 'The changes, with all of their members, in any order.',
});
/* @__PURE__ */ describeMembers(() => changeVerdictsSchema.entries, { items: 'One for each change, in their order.' });
/* @__PURE__ */ describeMembers(() => changeVerdictSchema.entries, {
  id: 'That of the change, as it was sent.',
  verdict:
    '`unchanged`: as the service wrote it. `changed`: not so. `without-mac`: not to be told, because it has no `integrity`. `unknown-root`: the service no longer has the root of its key, or never had it.',
});
const allChangesQuerySchema = v.strictObject({
  ...pageQuery,
  since: v.optional(timestampSchema),
  until: v.optional(timestampSchema),
  action: actionsSchema,
  actor: v.optional(v.pipe(v.string(), v.minLength(1, notEmpty), v.maxLength(512, 'is too long'))),
  appId: v.optional(appIdSchema),
  userId: v.optional(userIdSchema),
});

export const listAllChangesOperation = {
  name: 'list-all-changes',
  method: 'GET',
  path: '/api/manage/changes',
  role: 'viewer',
  forLimited: 'narrowed',
  query: allChangesQuerySchema,
  answer: answers<typeof narrowedChangePageSchema>(),
  errors: [],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(listAllChangesOperation, () => ({
  answer: narrowedChangePageSchema,
  tag: 'History',
  summary: 'Read the history of everything',
  description:
    'All changes, the newest first, which follow within seconds; that a user was erased, too. A page looks at a bounded number of changes: with a filter it may be short or even empty, while `cursor` leads on.',
  example: {
    query: { action: 'access.changed,user.status.changed', actor: 'billing' },
    answer: { items: [exampleChangeView], cursor: null },
  },
}));

export const reindexChangesOperation = {
  name: 'reindex-changes',
  method: 'POST',
  path: '/api/manage/history-index',
  role: 'admin',
  query: pageQuerySchema,
  answer: answers<typeof reindexingSchema>(),
  errors: [],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(reindexChangesOperation, () => ({
  answer: reindexingSchema,
  tag: 'History',
  summary: 'Repair the global history',
  description:
    'Lists the changes that it lacks, because the function that adds them failed for longer than the stream keeps them, or because the table was restored: those of a page of users, then of applications, then of erased users. Nothing else changes, and a repetition writes nothing.',
  example: { query: { limit: 100 }, answer: { checked: 4, changed: 0, cursor: exampleCursor } },
}));

/* @__PURE__ */ describeMembers(() => userHistoryQuerySchema.entries, {
  appId: 'Only the changes in this application. Default: all.',
});
/* @__PURE__ */ describeMembers(() => feedQuerySchema.entries, {
  actions: 'Only changes of these actions, separated by commas. Default: all.',
});
/* @__PURE__ */ describeMembers(() => [feedQuerySchema.entries, historyQuerySchema.entries], {
  after: 'The `cursor` of the previous answer, unchanged. Only newer changes follow.',
});
/* @__PURE__ */ describeMembers(() => allChangesQuerySchema.entries, {
  since: 'Only changes from this instant on. Default: all that are kept.',
  until: 'Only changes before this instant. Default: until now.',
  action: 'Only changes of these actions, separated by commas. Default: all.',
  actor:
    "Only changes by this operator, by the e-mail address, the part of it before the `@`, the token's `sub`, or the IAM ARN or what stands behind its last `/`; or by this API key, by its id or its application. Only ids are compared with their case.",
  appId: 'Only changes in this application, and what concerns users in every application.',
  userId: 'Only changes of this user, who need not exist any more.',
});
