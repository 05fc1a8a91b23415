import { publishChanges } from '#shared/domain/history/change-publisher.ts';
import { streamHandler } from '#shared/domain/history/stream-handler.ts';

/** The table's stream, of inserted Changes: puts each on the event bus. */
export const handler = streamHandler(publishChanges);
