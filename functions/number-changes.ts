import { numberAndFollow } from '#shared/domain/history/number-and-follow.ts';
import { streamHandler } from '#shared/domain/history/stream-handler.ts';

/** Reads inserted Changes from the table's stream, gives those of each feed their numbers, and wakes what follows the feeds. */
export const handler = streamHandler(numberAndFollow);
