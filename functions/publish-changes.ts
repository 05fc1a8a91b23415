import { publishChanges } from '#shared/domain/history/change-publisher.ts';
import { streamHandler } from '#shared/domain/history/stream-handler.ts';

/** Reads inserted Changes from the table's stream and puts each on the event bus. */
export const handler = streamHandler(publishChanges);
