import type { WebhookName } from '#shared/contract/fields.ts';
import { usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import { currentPosition, encodeFeedCursor } from '#shared/table/queries/feed-cursor.ts';

/** The end of both feeds of an application. */
export async function currentCursor({ appId }: Pick<WebhookName, 'appId'>): Promise<string> {
  const feeds = await Promise.all([currentPosition(appId), currentPosition(usersFeed)]);
  return encodeFeedCursor(appId, { feeds, pendingAfter: undefined });
}
