import * as v from 'valibot';
import { versionedSchema } from './answers.ts';
import { appIdSchema, timestampSchema } from './fields.ts';
import { applicationFields, fieldEntries } from './resource-fields.ts';

/** An application, as operators read it. */
export const applicationSchema = versionedSchema({
  appId: appIdSchema,
  ...fieldEntries(applicationFields, 'shown'),
  reviewedAt: v.nullable(timestampSchema),
  reviewDueAt: v.nullable(timestampSchema),
});
