import type { StoredReview } from '#shared/table/items/application-item.ts';

/** A review of an application as a Change records it; `null` before the first one. */
export function reviewStateOf(review: Omit<StoredReview, 'changeId'> | undefined) {
  return { reviewedAsOf: review?.asOf ?? null, laterChanges: review?.laterChanges ?? null };
}
