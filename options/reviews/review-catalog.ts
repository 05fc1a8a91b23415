import * as v from 'valibot';
import { describeMembers } from '#shared/contract/descriptions.ts';
import { accessReviewSchema, reviewedApplicationSchema, reviewedUserSchema } from './contract/access-review-answers.ts';
import { reviewDocuments as documents } from './contract/reviews-documents.ts';

const entries = { reviewsOverdue: v.number() };
describeMembers(entries, { reviewsOverdue: 'Applications whose access should have been reviewed by now.' });

/** The documents of the operations for reviews, what the overview says of them, with the names of what they answer, and how the smoke test tries them. */
export const reviewCatalog = {
  documents,
  answers: { 'get-overview': { entries, example: { reviewsOverdue: 0 } } },
  tags: [
    { name: 'Access review', description: 'Management: who holds what in an application, and when that was reviewed.' },
  ],
  schemas: {
    ReviewedUser: reviewedUserSchema,
    AccessReview: accessReviewSchema,
    ReviewedApplication: reviewedApplicationSchema,
  },
  probes: async () => (await import('./review-probes.ts')).reviewProbes,
} as const;
