import * as v from 'valibot';
import { userStatuses } from './access-statuses.ts';
import type { Answer, deletionSchema, PageOf } from './answers.ts';
import { bulkEntries } from './bulk.ts';
import type { bulkOutcomesSchema } from './bulk-answers.ts';
import { reasonEntries } from './change-reason.ts';
import { fieldEntries } from './field-forms.ts';
import { answers, dryRunQuerySchema, pageQuery, textSchema, userIdPrefixPattern } from './fields.ts';
import type { ManageOperation } from './operation.ts';
import type {
  changedUserSchema,
  listedUserSchema,
  namedUserSchema,
  readUserSchema,
  resolvedNameSchema,
  resolvedNamesSchema,
  userSchema,
} from './user-answers.ts';
import { userFields } from './user-fields.ts';

/** A user in the answer to a request for that user. */
export type ReadUserView = Answer<typeof readUserSchema>;
export type UserView = Answer<typeof userSchema>;
/** A user in a list; with the roles if the list is of users who hold one. */
export type ListedUserView = Answer<typeof listedUserSchema>;

/** The maximum number of characters of a search: no e-mail address is longer. */
export const maxSearchLength = 254;

const usersQuerySchema = v.strictObject({
  ...pageQuery,
  prefix: v.optional(v.pipe(v.string(), v.regex(userIdPrefixPattern, 'must be the beginning of a user id')), ''),
  q: v.optional(textSchema(maxSearchLength)),
  status: v.optional(v.picklist(userStatuses, 'must be "active" or "inactive"')),
  hasRole: v.optional(v.picklist(['true', 'false'], 'must be true or false')),
});

export const listUsersOperation = {
  name: 'list-users',
  method: 'GET',
  path: '/api/manage/users',
  role: 'viewer',
  forLimited: 'whole',
  query: usersQuerySchema,
  answer: answers<PageOf<typeof listedUserSchema>>(),
  errors: [],
} as const satisfies ManageOperation;

const createUserBodySchema = v.optional(v.strictObject(fieldEntries(userFields, 'body')), {});

export const createUserOperation = {
  name: 'create-user',
  method: 'PUT',
  path: '/api/manage/users/{userId}',
  role: 'admin',
  query: dryRunQuerySchema,
  body: createUserBodySchema,
  answer: answers<typeof userSchema>(),
  statuses: [201],
  errors: ['already_exists'],
} as const satisfies ManageOperation;

export const getUserOperation = {
  name: 'get-user',
  method: 'GET',
  path: '/api/manage/users/{userId}',
  role: 'viewer',
  forLimited: 'whole',
  answer: answers<typeof readUserSchema>(),
  errors: ['user_not_found'],
} as const satisfies ManageOperation;

/** Omitted members keep their values, `null` clears one. */
const updateUserBodySchema = v.strictObject(fieldEntries(userFields, 'patch'));

export const updateUserOperation = {
  name: 'update-user',
  method: 'PATCH',
  path: '/api/manage/users/{userId}',
  role: 'admin',
  ifMatch: true,
  query: dryRunQuerySchema,
  body: updateUserBodySchema,
  answer: answers<typeof changedUserSchema>(),
  errors: ['user_not_found'],
} as const satisfies ManageOperation;

export const deleteUserOperation = {
  name: 'delete-user',
  method: 'DELETE',
  path: '/api/manage/users/{userId}',
  role: 'admin',
  query: dryRunQuerySchema,
  answer: answers<typeof deletionSchema>(),
  statuses: [200, 202],
  errors: [],
} as const satisfies ManageOperation;

const setUserStatusBodySchema = v.strictObject({
  status: v.picklist(userStatuses, 'must be "active" or "inactive"'),
  ...reasonEntries,
});

export const setUserStatusOperation = {
  name: 'set-user-status',
  method: 'PUT',
  path: '/api/manage/users/{userId}/status',
  role: 'support',
  ifMatch: true,
  query: dryRunQuerySchema,
  body: setUserStatusBodySchema,
  answer: answers<typeof changedUserSchema>(),
  errors: ['user_not_found', 'reason_required'],
} as const satisfies ManageOperation;

const setUserStatusInBulkBodySchema = v.strictObject({ ...setUserStatusBodySchema.entries, ...bulkEntries });

export const setUserStatusInBulkOperation = {
  name: 'set-user-status-in-bulk',
  method: 'POST',
  path: '/api/manage/user-status',
  role: 'support',
  body: setUserStatusInBulkBodySchema,
  answer: answers<typeof bulkOutcomesSchema>(),
  errors: [],
} as const satisfies ManageOperation;

/** The maximum number of names in one request. */
const maxNamesPerRequest = 100;

const resolveUsersBodySchema = v.strictObject({
  names: v.pipe(
    v.array(textSchema(maxSearchLength), 'must be a list'),
    v.minLength(1, 'must hold at least one'),
    v.maxLength(maxNamesPerRequest, `must hold at most ${maxNamesPerRequest}`),
  ),
});

export type NamedUser = Answer<typeof namedUserSchema>;

export type ResolvedName = Answer<typeof resolvedNameSchema>;

export const resolveUsersOperation = {
  name: 'resolve-users',
  method: 'POST',
  path: '/api/manage/user-names',
  role: 'viewer',
  forLimited: 'whole',
  body: resolveUsersBodySchema,
  answer: answers<typeof resolvedNamesSchema>(),
  errors: [],
} as const satisfies ManageOperation;

/** The Management API: users. */
export const userManageOperations = {
  'list-users': listUsersOperation,
  'resolve-users': resolveUsersOperation,
  'create-user': createUserOperation,
  'get-user': getUserOperation,
  'update-user': updateUserOperation,
  'delete-user': deleteUserOperation,
  'set-user-status': setUserStatusOperation,
  'set-user-status-in-bulk': setUserStatusInBulkOperation,
} as const;
