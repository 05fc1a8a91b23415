import type { ApplicationView } from './application.ts';

const millisecondsPerDay = 86_400_000;

/** When the next review of an application is due; `null` if none is expected. */
export function reviewDueAt({ reviewEveryDays, reviewedAt, createdAt }: ReviewTimes): string | null {
  if (reviewEveryDays === null) return null;
  return new Date(Date.parse(reviewedAt ?? createdAt) + reviewEveryDays * millisecondsPerDay).toISOString();
}
type ReviewTimes = Pick<ApplicationView, 'reviewEveryDays' | 'reviewedAt' | 'createdAt'>;

/** Whether a review of an application is overdue. */
export function isReviewOverdue({ reviewDueAt: due }: Pick<ApplicationView, 'reviewDueAt'>, at: Date): boolean {
  return due !== null && Date.parse(due) <= at.getTime();
}
