import * as v from 'valibot';
import { accessSchema } from './access.ts';
import type { Answer } from './answers.ts';
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

export const unknownUserSchema = /* @__PURE__ */ (() =>
  v.object({
    /** As requested, even if it is not a valid user id. */
    userId: v.string(),
    code: v.literal('user_not_found'),
  }))();

/** The access of one user of a check, or `user_not_found`. */
export const checkedAccessSchema = /* @__PURE__ */ (() => v.union([accessSchema, unknownUserSchema]))();
export type CheckedAccess = Answer<typeof checkedAccessSchema>;

export const checkedAccessesSchema = /* @__PURE__ */ (() => v.object({ items: v.array(checkedAccessSchema) }))();

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
