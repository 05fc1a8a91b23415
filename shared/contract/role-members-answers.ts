import * as v from 'valibot';
import { timestampSchema, userIdSchema } from './fields.ts';
import { fieldEntries, userFields } from './resource-fields.ts';

/** A user who holds a role. */
export const memberSchema = v.object({
  userId: userIdSchema,
  ...fieldEntries(userFields, 'shown'),
  expiresAt: v.nullable(timestampSchema),
});
