import { listInHistory } from '#shared/domain/history/history-entries.ts';
import { streamHandler } from '#shared/domain/history/stream-handler.ts';

/** The table's stream, of inserted Changes: adds each to the global history. */
export const handler = streamHandler(listInHistory);
