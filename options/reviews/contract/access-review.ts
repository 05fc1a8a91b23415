import * as v from 'valibot';
import type { Answer } from '#shared/contract/answers.ts';
import { reasonEntries } from '#shared/contract/change-reason.ts';
import { answers, dryRunQuerySchema, pageQuerySchema, timestampSchema } from '#shared/contract/fields.ts';
import type { ManageOperation } from '#shared/contract/operation.ts';
import type { accessReviewSchema, reviewedApplicationSchema, reviewedUserSchema } from './access-review-answers.ts';

/** What one user holds in an application, with who gave it and when. */
export type ReviewedUser = Answer<typeof reviewedUserSchema>;

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

const reviewBodySchema = v.strictObject({ asOf: v.pipe(timestampSchema), ...reasonEntries });

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
