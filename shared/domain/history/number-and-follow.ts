import * as extensions from '#options/extensions.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';
import { type StreamRecord, sequenceNumberOf } from '#shared/table/items/change-item.ts';
import type { FeedFollower } from './feed-follower.ts';
import { numberChanges } from './feed-numbers.ts';

const followers: readonly FeedFollower[] = membersOf(extensions, 'follower');

/**
 * Gives inserted Changes the numbers of their feeds, and wakes what follows the feeds, and what follows the stream itself. Returns
 * the sequence number from which to resume, if any.
 */
export async function numberAndFollow(records: readonly StreamRecord[]): Promise<string | undefined> {
  const again: (string | undefined)[] = [];
  for (const follower of followers) again.push(await follower.take(records));
  const unnumbered = await numberChanges(records, async (feed) => {
    for (const follower of followers) await follower.wake(feed);
  });
  return records.map(sequenceNumberOf).find((number) => number === unnumbered || again.includes(number));
}
