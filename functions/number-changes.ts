import * as extensions from '#options/extensions.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';
import type { FeedFollower } from '#shared/domain/history/feed-follower.ts';
import { numberChanges } from '#shared/domain/history/feed-numbers.ts';
import { streamHandler } from '#shared/domain/history/stream-handler.ts';

const followers: readonly FeedFollower[] = membersOf(extensions, 'follower');

/**
 * Reads inserted Changes from the table's stream, gives those of each feed their numbers, and wakes what follows the feed; and
 * what follows the stream itself.
 */
export const handler = streamHandler(async (records) => {
  for (const follower of followers) await follower.take(records);
  return numberChanges(records, async (feed) => {
    for (const follower of followers) await follower.wake(feed);
  });
});
