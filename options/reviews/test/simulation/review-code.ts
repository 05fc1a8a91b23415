import type { OptionCode } from '#test/simulation/option-code.ts';
import { offboard, offboardingIn, reinstate } from '../../offboarding.ts';
import { listForReview } from '../../server/list-for-review.ts';
import { reviewApplication } from '../../server/review-application.ts';

/** How the command line and the dashboard offboard a user. */
export const offboarding = { offboard, offboardingIn, reinstate };

/** The code of reviews that processes run, and that of offboarding, which clients run. */
export const code: OptionCode = {
  runs: { 'list-access-review': listForReview, 'review-application': reviewApplication },
  actions: { 'review-application': 'application.reviewed' },
  checked: ['review-application'],
  functions: {},
  clients: { offboarding },
};
