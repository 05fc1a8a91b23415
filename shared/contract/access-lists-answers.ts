import * as v from 'valibot';
import { accessSchema } from './access-answers.ts';
import { extendedSchema } from './answers.ts';
import { applicationFields } from './application-fields.ts';
import { fieldEntries } from './field-forms.ts';
import { setBySchema } from './set-by.ts';
import { userFields } from './user-fields.ts';

/** An access of one user, in the list of that user. */
export const userAccessSchema = extendedSchema(accessSchema, {
  appName: v.string(),
  rolloutPercent: v.number(),
  requireReason: v.pipe(applicationFields.requireReason.shown),
  statusSetBy: v.nullable(setBySchema),
});

/** An access to one application, in the list of its users. */
export const applicationUserSchema = extendedSchema(accessSchema, {
  ...fieldEntries(userFields, 'shown'),
  statusSetBy: v.nullable(setBySchema),
  userStatusSetBy: v.nullable(setBySchema),
});
