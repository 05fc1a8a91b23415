import * as v from 'valibot';
import { recordedSchema, versionedSchema } from './answers.ts';
import { applicationFields } from './application-fields.ts';
import { fieldEntries } from './field-forms.ts';
import { appIdSchema, timestampSchema } from './fields.ts';

/** An application, as operators read it. */
export const applicationSchema = versionedSchema({
  appId: appIdSchema,
  ...fieldEntries(applicationFields, 'shown'),
  reviewedAt: v.nullable(timestampSchema),
  reviewDueAt: v.nullable(timestampSchema),
});

/** The application after a change of its settings. */
export const changedApplicationSchema = recordedSchema(applicationSchema);
