import * as v from 'valibot';
import type { Answer } from './answers.ts';
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
import {
  answers,
  appIdSchema,
  bulkIdSchema,
  connectionIdSchema,
  pageQuery,
  timestampSchema,
  userIdSchema,
} from './fields.ts';
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
  table: { reads: ['user'], queries: ['feed'] },
  settings: ['changeRetentionDays'],
  tag: 'Service API',
  summary: 'Follow the changes',
  description:
    'The changes that concern the application: changes of the application, of its users in it, and of the global status, erasure and renewed creation of every user. A change is in the answer as soon as it has taken effect. Keep the cursor and send it with the next request: immediately while `more` is true, otherwise at your own interval. The last `pending` changes come again until they have a number, a moment later; of two changes of a user, the one with the higher `id` is the later one. Operators are anonymous, and their addresses are omitted.',
  example: {
    query: { limit: 1 },
    answer: { items: [exampleChange], pending: 0, more: true, cursor: exampleCursor },
  },
}));

/** `after` reads forward, from the beginning if it is empty. */
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
    'Changes of the application and of its users in it, newest first. Includes changes since its creation that concern users in every application: global status, erasure, and renewed creation of an erased id. With `?after=` it reads forward from a cursor, or from the beginning if that is empty.',
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
  description: 'Newest first.',
  example: { query: { limit: 1 }, answer: { items: [exampleChangeView], cursor: exampleCursor } },
}));

/** The maximum number of changes that one request verifies. */
export const maxChangesToVerify = 100;

/** A Change in an export, complete or redacted, possibly written by another version. */
export const postedChangeSchema = v.pipe(
  v.looseObject({
    id: v.string('must be a string'),
    integrity: v.exactOptional(v.strictObject(changeIntegritySchema.entries)),
  }),
  v.check((change) => isFlat(change), 'must be a change, as an export has it'),
  v.metadata({ additionalProperties: true }),
);
export type PostedChange = v.InferOutput<typeof postedChangeSchema>;

/** Whether the members of a Change are primitive values, or objects of primitive values. */
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
/** The verdict on one Change of an export. */
export type ChangeVerdict = Answer<typeof changeVerdictSchema>;

const changeVerdictsSchema = /* @__PURE__ */ (() => v.object({ items: v.array(changeVerdictSchema) }))();

/** Open to every viewer, even a limited one: the answer discloses nothing that the request does not contain. */
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
    'Checks whether up to 100 changes from exports or events, complete or redacted, are as the service wrote them. Reads no stored data. A gap between two changes shows in `integrity.previous`, which `auth-service history verify` follows.',
  example: {
    body: { changes: [exampleChange] },
    answer: { items: [{ id: exampleChange.id, verdict: 'without-mac' }] },
  },
}));

/* @__PURE__ */ describeMembers(() => postedChangeSchema.pipe[0].entries, {
  id: 'A ULID. All deliveries of the same change have the same id.',
  integrity: 'Required to verify the change. The feed of an application does not contain it.',
});
/* @__PURE__ */ describeMembers(() => verifyChangesBodySchema.entries, {
  changes: 'The changes, with all of their members, in any order.',
});
/* @__PURE__ */ describeMembers(() => changeVerdictsSchema.entries, {
  items: 'One verdict per change, in the order of the request.',
});
/* @__PURE__ */ describeMembers(() => changeVerdictSchema.entries, {
  id: 'The id of the change, as in the request.',
  verdict:
    '`unchanged`: as the service wrote it. `changed`: altered. `without-mac`: cannot be verified, because it has no `integrity`. `unknown-root`: the service does not have the root of its key, or no longer has it.',
});
const allChangesQuerySchema = v.strictObject({
  ...pageQuery,
  since: v.optional(timestampSchema),
  until: v.optional(timestampSchema),
  action: actionsSchema,
  actor: v.optional(v.pipe(v.string(), v.minLength(1, notEmpty), v.maxLength(512, 'is too long'))),
  appId: v.optional(appIdSchema),
  userId: v.optional(userIdSchema),
  connectionId: v.optional(connectionIdSchema),
  bulkId: v.optional(bulkIdSchema),
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
  summary: 'Read the global history',
  description:
    'All changes, newest first, including erasures of users. New changes appear within seconds. A page examines a bounded number of changes, so with a filter it may be short or empty and still have a cursor.',
  example: {
    query: { action: 'access.changed,user.status.changed', actor: 'billing' },
    answer: { items: [exampleChangeView], cursor: null },
  },
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
  since: 'Only changes from this time on. Default: the entire stored history.',
  until: 'Only changes before this time. Default: now.',
  action: 'Only changes of these actions, separated by commas. Default: all.',
  actor:
    "Only changes by this operator (e-mail address or the part before its `@`, the token's `sub`, IAM ARN or the part after its last `/`) or by this API key (its id or application). Only ids are case-sensitive.",
  appId: 'Only changes in this application, and those that concern users in every application.',
  userId: 'Only changes of this user, even if the user no longer exists.',
  connectionId: 'Only changes of this connection and its keys. Cannot be combined with `appId` or `userId`.',
  bulkId: 'Only changes of this bulk, and those that undid them.',
});
