import { accessReviewSchema, reviewedApplicationSchema, reviewedUserSchema } from './contract/access-review-answers.ts';
import { reviewDocuments as documents } from './contract/reviews-documents.ts';
import { reviewProbes as probes } from './review-probes.ts';

/** The documents of the operations for reviews, with the names of what they answer, and how the smoke test tries them. */
export const reviewCatalog = {
  documents,
  tags: [
    { name: 'Access review', description: 'Management: who holds what in an application, and when that was reviewed.' },
  ],
  schemas: {
    ReviewedUser: reviewedUserSchema,
    AccessReview: accessReviewSchema,
    ReviewedApplication: reviewedApplicationSchema,
  },
  probes,
} as const;
