import type { OptionOperations } from '#shared/contract/operation.ts';
import * as accessReview from './access-review.ts';

/** The operations for reviews of access, by their names. */
export const reviewOperations = {
  service: {},
  trials: {},
  manage: {
    'list-access-review': accessReview.listAccessReviewOperation,
    'review-application': accessReview.reviewApplicationOperation,
  },
} as const satisfies OptionOperations;
