import * as v from 'valibot';
import { accessSchema } from './access.ts';
import type { Answer } from './answers.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleAccess } from './examples.ts';
import { answers } from './fields.ts';
import type { ServiceOperation } from './operation.ts';

/** The most users of one check. */
const maxUsersPerCheck = 100;

const checkAccessBodySchema = v.strictObject({
  userIds: v.pipe(
    v.array(v.pipe(v.string('must be a string'), v.maxLength(128, 'must be at most 128 characters')), 'must be a list'),
    v.minLength(1, 'must name at least one user'),
    v.maxLength(maxUsersPerCheck, `must name at most ${maxUsersPerCheck} users`),
  ),
});

const unknownUserSchema = /* @__PURE__ */ (() =>
  v.object({
    /** As requested, even if it is not a valid user id. */
    userId: v.string(),
    code: v.literal('user_not_found'),
  }))();

/** The access of one user of a check, or `user_not_found`. */
export const checkedAccessSchema = /* @__PURE__ */ (() => v.union([accessSchema, unknownUserSchema]))();
export type CheckedAccess = Answer<typeof checkedAccessSchema>;

const checkedAccessesSchema = /* @__PURE__ */ (() => v.object({ items: v.array(checkedAccessSchema) }))();

export const checkAccessOperation = {
  name: 'check-access',
  method: 'POST',
  path: '/api/service/access/check',
  scope: 'access:read',
  writes: false,
  body: checkAccessBodySchema,
  answer: answers<typeof checkedAccessesSchema>(),
  errors: [],
} as const satisfies ServiceOperation;

/* @__PURE__ */ documentOperation(checkAccessOperation, () => ({
  answer: checkedAccessesSchema,
  table: { reads: ['user'] },
  tag: 'Service API',
  summary: 'Read the access of many users',
  description:
    'Takes up to 100 users and returns one item for each, in the order of the request: the access, as for a single user, or `user_not_found`. Strongly consistent. It changes nothing, so its nonce may be reused.',
  example: {
    body: { userIds: ['ada', 'nobody'] },
    answer: { items: [exampleAccess.untouched, { userId: 'nobody', code: 'user_not_found' }] },
  },
}));

/* @__PURE__ */ describeMembers(() => checkAccessBodySchema.entries, {
  userIds: 'The users. An invalid user id is treated as a user who does not exist.',
});
/* @__PURE__ */ describeMembers(() => checkedAccessesSchema.entries, {
  items: 'One item per user, in the order of the request.',
});
/* @__PURE__ */ describeMembers(() => unknownUserSchema.entries, {
  userId: 'The user, by the id that your applications share.',
  code: 'There is no user with this id.',
});
