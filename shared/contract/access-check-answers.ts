import * as v from 'valibot';
import { accessSchema } from './access-answers.ts';

/** A user of a request who does not exist. */
export const unknownUserSchema = v.object({
  /** As requested, even if it is not a valid user id. */
  userId: v.string(),
  code: v.literal('user_not_found'),
});

/** The access of one user of a check, or `user_not_found`. */
export const checkedAccessSchema = v.union([accessSchema, unknownUserSchema]);

/** The accesses of several users. */
export const checkedAccessesSchema = v.object({ items: v.array(checkedAccessSchema) });
