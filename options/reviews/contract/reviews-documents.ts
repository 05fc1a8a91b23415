import type { DocumentsOf } from '#shared/contract/documentation.ts';
import * as accessReview from './access-review-documents.ts';
import type { reviewOperations } from './reviews-contract.ts';

/** The documents of the operations for reviews of access. */
export const reviewDocuments: DocumentsOf<typeof reviewOperations.manage> = {
  'list-access-review': accessReview.listAccessReviewDocuments,
  'review-application': accessReview.reviewApplicationDocuments,
};
