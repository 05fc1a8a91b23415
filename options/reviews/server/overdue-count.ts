import { isReviewOverdue } from '#shared/contract/review-due.ts';
import { applicationView } from '#shared/domain/application/applications.ts';
import type { OverviewCount } from '#shared/domain/application/overview-count.ts';
import { reviewMember } from '../contract/review-member.ts';

const overdueCount: OverviewCount = {
  member: reviewMember.name,
  count: async ({ applications, at }) =>
    (await applications).filter((application) => isReviewOverdue(applicationView(application), at)).length,
};

/** Reviews that are overdue are counted on the overview. */
export const reviewCounts = { overview: overdueCount } as const;
