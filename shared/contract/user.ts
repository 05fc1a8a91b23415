import * as v from 'valibot';
import { userStatuses } from './access.ts';
import {
  type Answer,
  deletionSchema,
  extendedSchema,
  type PageOf,
  pageSchema,
  recordedSchema,
  versionedSchema,
} from './answers.ts';
import { bulkDescription, bulkEntries, bulkOutcomesSchema, exampleOutcomes } from './bulk.ts';
import { reasonEntries } from './change-reason.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleChanged, exampleTime, exampleUser } from './examples.ts';
import {
  answers,
  connectionIdSchema,
  dryRunQuerySchema,
  pageQuery,
  textSchema,
  userIdPrefixPattern,
  userIdSchema,
} from './fields.ts';
import type { ManageOperation } from './operation.ts';
import { fieldEntries, userFields } from './resource-fields.ts';
import { setBySchema } from './set-by.ts';

const userSchema = /* @__PURE__ */ (() =>
  versionedSchema({
    userId: userIdSchema,
    status: v.picklist(userStatuses),
    ...fieldEntries(userFields, 'shown'),
  }))();
const readUserSchema = /* @__PURE__ */ (() =>
  extendedSchema(userSchema, { statusSetBy: v.nullable(setBySchema), directory: v.nullable(connectionIdSchema) }))();
/** A user in the answer to a request for that user. */
export type ReadUserView = Answer<typeof readUserSchema>;
const changedUserSchema = /* @__PURE__ */ (() => recordedSchema(userSchema))();
export type UserView = Answer<typeof userSchema>;

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
  answer: answers<PageOf<typeof userSchema>>(),
  errors: [],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(listUsersOperation, () => ({
  answer: pageSchema(userSchema),
  opensPage: true,
  tag: 'Users',
  summary: 'List or find users',
  description:
    'Ordered by id. `q` searches by the beginnings of the words of the name, the e-mail address (without its domain) and the id, ignoring case and accents. The words of a name are also found when they are joined (`vandenberg`), and from four letters on by their insides (`homas`), as far as the twelve words of a user suffice. The user with exactly this id comes first, then those with exactly this e-mail address. `q` cannot be combined with `prefix`. With `hasRole` a page examines a bounded number of users, so it may be short or empty and still have a cursor.',
  example: { query: { q: 'ada love', status: 'active', limit: 25 }, answer: { items: [exampleUser], cursor: null } },
}));

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

/* @__PURE__ */ documentOperation(createUserOperation, () => ({
  answer: userSchema,
  tag: 'Users',
  summary: 'Create a user',
  example: { body: { displayName: 'Ada Lovelace', email: 'ada@example.org' }, answer: exampleUser },
}));

export const getUserOperation = {
  name: 'get-user',
  method: 'GET',
  path: '/api/manage/users/{userId}',
  role: 'viewer',
  forLimited: 'whole',
  answer: answers<typeof readUserSchema>(),
  errors: ['user_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(getUserOperation, () => ({
  answer: readUserSchema,
  opensPage: true,
  tag: 'Users',
  summary: 'Read a user',
  example: { answer: { ...exampleUser, statusSetBy: null, directory: null } },
}));

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

/* @__PURE__ */ documentOperation(updateUserOperation, () => ({
  answer: changedUserSchema,
  tag: 'Users',
  summary: 'Change the name or e-mail address of a user',
  description: 'Omitted members keep their values, `null` clears one.',
  example: {
    body: { displayName: 'Ada King' },
    answer: { ...exampleUser, displayName: 'Ada King', version: 2, updatedAt: exampleTime, ...exampleChanged },
  },
}));

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

/* @__PURE__ */ documentOperation(deleteUserOperation, () => ({
  answer: deletionSchema,
  tag: 'Users',
  summary: 'Erase a user',
  description:
    'Deletes all accesses, roles and records of the user; only the id is kept, for 30 days. Succeeds if the user does not exist.',
  example: { answer: { changed: true, complete: true } },
}));

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

/* @__PURE__ */ documentOperation(setUserStatusOperation, () => ({
  answer: changedUserSchema,
  tag: 'Users',
  summary: 'Activate or deactivate a user',
  description: 'An inactive user has no access to any application. The settings in the applications do not change.',
  example: {
    body: { status: 'inactive', reason: 'on leave' },
    answer: {
      ...exampleUser,
      status: 'inactive',
      displayName: 'Ada King',
      version: 3,
      updatedAt: exampleTime,
      ...exampleChanged,
    },
  },
}));

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

/* @__PURE__ */ documentOperation(setUserStatusInBulkOperation, () => ({
  answer: bulkOutcomesSchema,
  tag: 'Users',
  summary: 'Activate or deactivate many users',
  description: bulkDescription,
  example: {
    body: { userIds: ['ada', 'grace'], status: 'active' },
    answer: { items: exampleOutcomes },
  },
}));

/** The maximum number of names in one request. */
const maxNamesPerRequest = 100;

const resolveUsersBodySchema = v.strictObject({
  names: v.pipe(
    v.array(textSchema(maxSearchLength), 'must be a list'),
    v.minLength(1, 'must hold at least one'),
    v.maxLength(maxNamesPerRequest, `must hold at most ${maxNamesPerRequest}`),
  ),
});

const namedUserSchema = /* @__PURE__ */ (() => {
  const { userId, status } = userSchema.entries;
  return v.object({ userId, ...fieldEntries(userFields, 'shown'), status });
})();
export type NamedUser = Answer<typeof namedUserSchema>;

const resolvedNameSchema = /* @__PURE__ */ (() => v.object({ name: v.string(), users: v.array(namedUserSchema) }))();
export type ResolvedName = Answer<typeof resolvedNameSchema>;

const resolvedNamesSchema = /* @__PURE__ */ (() => v.object({ items: v.array(resolvedNameSchema) }))();

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

/* @__PURE__ */ documentOperation(resolveUsersOperation, () => ({
  answer: resolvedNamesSchema,
  tag: 'Users',
  summary: 'Find users by exact ids or e-mail addresses',
  description:
    'Up to 100 names, each a user id or an e-mail address, in whatever case. Ids take precedence: a name is looked up as an e-mail address only if it is not the id of a user. Writes nothing.',
  example: {
    body: { names: ['ADA@example.org', 'grace'] },
    answer: {
      items: [
        {
          name: 'ADA@example.org',
          users: [{ userId: 'ada', displayName: 'Ada Lovelace', email: 'ada@example.org', status: 'active' }],
        },
        { name: 'grace', users: [] },
      ],
    },
  },
}));

/* @__PURE__ */ describeMembers(() => resolveUsersBodySchema.entries, { names: 'User ids or e-mail addresses.' });
/* @__PURE__ */ describeMembers(() => resolvedNamesSchema.entries, { items: 'One for each name, in the same order.' });
/* @__PURE__ */ describeMembers(() => resolvedNameSchema.entries, {
  name: 'As requested.',
  users: 'The matching users: none, one, or up to 10 with this e-mail address.',
});
/* @__PURE__ */ describeMembers(() => usersQuerySchema.entries, {
  prefix: 'Only ids that begin with this.',
  q: 'Only users with words that begin like these, in any order. A word of one character only narrows the results of the others.',
  status: 'Only users with this status.',
  hasRole: 'Only users who hold a role in some application now; with `false`, only users who hold none.',
});
/* @__PURE__ */ describeMembers(() => readUserSchema.entries, {
  statusSetBy: 'Who set the global status; `null` if it was never set.',
  directory:
    'The connection of the directory that owns the user, even after that directory deleted the user: no other directory can have the user. `null` if none does.',
});
/* @__PURE__ */ describeMembers(() => userSchema.entries, {
  status: 'The global status: an inactive user has no access to any application, whatever else is set.',
});
/* @__PURE__ */ describeMembers(() => setUserStatusBodySchema.entries, {
  status: 'The new global status: an inactive user has no access to any application, whatever else is set.',
});
