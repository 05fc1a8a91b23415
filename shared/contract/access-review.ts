import * as v from 'valibot';
import { accessSchema } from './access.ts';
import { type Answer, extendedSchema, pageSchema } from './answers.ts';
import { applicationSchema } from './application.ts';
import { reasonEntries } from './change-reason.ts';
import { answers, dryRunQuerySchema, pageQuerySchema, roleNameSchema, timestampSchema } from './fields.ts';
import type { ManageOperation } from './operation.ts';
import { fieldEntries, userFields } from './resource-fields.ts';
import { setBySchema } from './set-by.ts';

export const reviewCounts = { asOf: timestampSchema, laterChanges: v.number() };

const lastReviewSchema = /* @__PURE__ */ (() => extendedSchema(setBySchema, reviewCounts))();

export const heldRoleSchema = /* @__PURE__ */ (() =>
  v.object({
    name: roleNameSchema,
    expiresAt: v.nullable(timestampSchema),
    grantedAt: timestampSchema,
    grantedBy: v.nullable(setBySchema),
  }))();

export const reviewedUserSchema = /* @__PURE__ */ (() => {
  const { roles: _, ...access } = accessSchema.entries;
  return v.object({
    ...access,
    ...fieldEntries(userFields, 'shown'),
    roles: v.array(heldRoleSchema),
    statusSetBy: v.nullable(setBySchema),
    userStatusSetBy: v.nullable(setBySchema),
    lastChange: v.nullable(setBySchema),
  });
})();
/** What one user holds in an application, with who gave it and when. */
export type ReviewedUser = Answer<typeof reviewedUserSchema>;

export const accessReviewSchema = /* @__PURE__ */ (() =>
  extendedSchema(pageSchema(reviewedUserSchema), {
    asOf: timestampSchema,
    lastReview: v.nullable(lastReviewSchema),
  }))();
export type AccessReview = Answer<typeof accessReviewSchema>;

export const listAccessReviewOperation = {
  name: 'list-access-review',
  method: 'GET',
  path: '/api/manage/applications/{appId}/review',
  role: 'viewer',
  query: pageQuerySchema,
  answer: answers<typeof accessReviewSchema>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

const reviewBodySchema = v.strictObject({ asOf: timestampSchema, ...reasonEntries });

export const reviewedApplicationSchema = /* @__PURE__ */ (() =>
  extendedSchema(applicationSchema, { laterChanges: reviewCounts.laterChanges }))();
export type ReviewedApplication = Answer<typeof reviewedApplicationSchema>;

export const reviewApplicationOperation = {
  name: 'review-application',
  method: 'POST',
  path: '/api/manage/applications/{appId}/reviews',
  role: 'admin',
  query: dryRunQuerySchema,
  body: reviewBodySchema,
  answer: answers<typeof reviewedApplicationSchema>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;
