import { exactly } from '#shared/http/exactly.ts';
import type { ManageRuns } from '#shared/http/management/manage-run.ts';
import type { reviewOperations } from '../contract/reviews-contract.ts';
import { listForReview } from './list-for-review.ts';
import { reviewApplication } from './review-application.ts';

/** The implementation of each operation for reviews of access. */
export const reviewRuns: ManageRuns<typeof reviewOperations.manage> = {
  'list-access-review': ({ path, query }) => exactly(listForReview)({ ...path, ...query }),
  'review-application': ({ path, body: { asOf } }, context) => exactly(reviewApplication)({ ...path, asOf }, context),
};
