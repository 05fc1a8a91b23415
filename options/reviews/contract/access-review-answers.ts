import * as v from 'valibot';
import { accessSchema } from '#shared/contract/access-answers.ts';
import { extendedSchema, pageSchema } from '#shared/contract/answers.ts';
import { applicationSchema } from '#shared/contract/application-answers.ts';
import { fieldEntries } from '#shared/contract/field-forms.ts';
import { roleNameSchema, timestampSchema } from '#shared/contract/fields.ts';
import { setBySchema } from '#shared/contract/set-by.ts';
import { userFields } from '#shared/contract/user-fields.ts';

/** As of when a list was reviewed, and what had changed since. */
export const reviewCounts = { asOf: v.pipe(timestampSchema), laterChanges: v.number() };

const lastReviewSchema = extendedSchema(setBySchema, reviewCounts);

/** A role of a reviewed user, and who assigned it. */
export const heldRoleSchema = v.object({
  name: roleNameSchema,
  expiresAt: v.nullable(timestampSchema),
  grantedAt: timestampSchema,
  grantedBy: v.nullable(setBySchema),
});

const { roles: _, ...access } = accessSchema.entries;
export const reviewedUserSchema = v.object({
  ...access,
  ...fieldEntries(userFields, 'shown'),
  roles: v.array(heldRoleSchema),
  statusSetBy: v.nullable(setBySchema),
  userStatusSetBy: v.nullable(setBySchema),
  lastChange: v.nullable(setBySchema),
});

/** A page of the list to review. */
export const accessReviewSchema = extendedSchema(pageSchema(reviewedUserSchema), {
  asOf: v.pipe(timestampSchema),
  lastReview: v.nullable(lastReviewSchema),
});

/** The application after a review. */
export const reviewedApplicationSchema = extendedSchema(applicationSchema, { laterChanges: reviewCounts.laterChanges });
