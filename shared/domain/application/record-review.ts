import type { AppId } from '#shared/contract/fields.ts';
import type { Application, StoredReview } from '#shared/table/items/application-item.ts';
import type { RequestContext } from '../request/request-context.ts';
import { changeApplication } from './applications.ts';

/** As of when the list of who has access was reviewed, and how many changes came after that. */
export type Review = Omit<StoredReview, 'changeId'>;

/** What was reviewed, and the answer about it. */
export interface ReviewRule<Answer> {
  /** Throws refusals. */
  readonly decide: () => Promise<Review>;
  readonly answerOf: (application: Application) => Answer;
}

/** Records with its Change that who has access to an application was reviewed. */
export function recordReview<Answer>(
  appId: AppId,
  context: RequestContext,
  { decide, answerOf }: ReviewRule<Answer>,
): Promise<Answer> {
  return changeApplication({ appId }, context, {
    decide: async ({ lastReview }) => {
      const review = await decide();
      return {
        action: 'application.reviewed',
        next: {},
        review,
        before: reviewStateOf(lastReview),
        after: reviewStateOf(review),
      };
    },
    answerOf: ({ application }) => answerOf(application),
  });
}

/** A review as a Change records it; `null` before the first one. */
export function reviewStateOf(review: Review | undefined) {
  return { reviewedAsOf: review?.asOf ?? null, laterChanges: review?.laterChanges ?? null };
}
