import type { OverviewMember } from '#shared/contract/overview-member.ts';

/** The number of applications whose review is overdue, on the overview. */
export const reviewMember: OverviewMember<number> = {
  name: 'reviewsOverdue',
  lines: (overdue) => [['overdue access reviews', String(overdue)]],
};
