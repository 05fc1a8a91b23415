import * as v from 'valibot';
import type { checkedAccessesSchema, checkedAccessSchema } from './access-check-answers.ts';
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

export type CheckedAccess = Answer<typeof checkedAccessSchema>;

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

/** The Service API: checks of access. */
export const accessCheckServiceOperations = {
  'check-access': checkAccessOperation,
} as const;
