import type { AppId } from '#shared/contract/fields.ts';
import type { FeedPosition } from '#shared/table/queries/feed-cursor.ts';
import { takeInOrder } from './feed-order.ts';
import { type FoundChange, type Positions, positionAfter, type ReadFeed, readFeeds } from './read-feed.ts';

/** The next changes of an application's feeds, in the order of ids for each user, and the positions after them. */
export interface OrderedPage {
  readonly changes: readonly FoundChange[];
  readonly positions: readonly [FeedPosition, FeedPosition];
  readonly more: boolean;
}

/**
 * Reads by id, for consumers that get each change once: at least the next `limit` changes that have a number, so that each user's
 * come in the order of their ids, over both feeds and page by page. A change waits until all earlier ones of its user have a number.
 * Undefined positions begin with the oldest that is kept. Fails with 410 `cursor_expired` like `listChanges`.
 */
export async function readChangesById(appId: AppId, positions: Positions, limit: number): Promise<OrderedPage> {
  const feeds = await readFeeds(appId, positions, { count: limit, pendingAfter: 'all' });
  const { counts, more } = takeInOrder(feeds, limit);
  const changesOf = ({ numbered }: ReadFeed, count: number) => numbered.slice(0, count).map(({ change }) => change);
  return {
    changes: [...changesOf(feeds[0], counts[0]), ...changesOf(feeds[1], counts[1])],
    positions: [positionAfter(feeds[0], counts[0]), positionAfter(feeds[1], counts[1])],
    more,
  };
}
