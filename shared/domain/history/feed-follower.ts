import type { StreamRecord } from '#shared/table/items/change-item.ts';
import type { FeedName } from '#shared/table/keys/feed-item-keys.ts';

/** What an option does with the table's stream, beside the numbers of Changes. Neither throws. */
export interface FeedFollower {
  /**
   * Each batch, before its Changes get their numbers. Returns the sequence number of the record from which it must get the batch again,
   * if any.
   */
  take(records: readonly StreamRecord[]): Promise<string | undefined>;
  /** A feed that has new numbers. */
  wake(feed: FeedName): Promise<void>;
}
