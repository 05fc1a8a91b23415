import * as v from 'valibot';
import type { Answer } from './answers.ts';
import type { ChangeAction } from './change.ts';
import { changeActions } from './change-actions.ts';
import { changeIntegritySchema } from './change-integrity.ts';
import type { applicationChangePageSchema, changePageSchema, narrowedChangePageSchema } from './change-schemas.ts';
import {
  answers,
  appIdSchema,
  bulkIdSchema,
  connectionIdSchema,
  pageQuery,
  timestampSchema,
  userIdSchema,
} from './fields.ts';
import type { changeVerdictSchema, changeVerdictsSchema } from './history-answers.ts';
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
  pending: v.optional(v.picklist(['all', 'new'], 'must be all or new'), 'all'),
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

/** The verdict on one Change of an export. */
export type ChangeVerdict = Answer<typeof changeVerdictSchema>;

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

/** The Service API: the history. */
export const historyServiceOperations = {
  'list-changes': listChangesOperation,
} as const;

/** The Management API: the history. */
export const historyManageOperations = {
  'list-application-changes': listApplicationChangesOperation,
  'list-user-changes': listUserChangesOperation,
  'verify-changes': verifyChangesOperation,
  'list-all-changes': listAllChangesOperation,
} as const;
