import { numberChanges } from '#shared/domain/history/feed-numbers.ts';
import { streamHandler } from '#shared/domain/history/stream-handler.ts';

/** Reads inserted Changes from the table's stream and gives those of each feed their numbers. */
export const handler = streamHandler(numberChanges);
