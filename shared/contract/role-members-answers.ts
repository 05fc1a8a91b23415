import * as v from 'valibot';
import { fieldEntries } from './field-forms.ts';
import { timestampSchema, userIdSchema } from './fields.ts';
import { userFields } from './user-fields.ts';

/** A user who holds a role. */
export const memberSchema = v.object({
  userId: userIdSchema,
  ...fieldEntries(userFields, 'shown'),
  expiresAt: v.nullable(timestampSchema),
});
