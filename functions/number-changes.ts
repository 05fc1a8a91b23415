import { numberChanges } from '#shared/domain/history/feed-numbers.ts';
import { streamHandler } from '#shared/domain/history/stream-handler.ts';
import { wakeFollowers, wakeRequested } from '#shared/domain/webhook/wake-deliveries.ts';

/**
 * Reads inserted Changes from the table's stream, gives those of each feed their numbers, and wakes the feed's webhooks; and those
 * that are asked to send something.
 */
export const handler = streamHandler(async (records) => {
  await wakeRequested(records);
  return numberChanges(records, wakeFollowers);
});
