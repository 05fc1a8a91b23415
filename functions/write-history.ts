import { addToHistory } from '#shared/domain/history/history-entries.ts';
import { streamHandler } from '#shared/domain/history/stream-handler.ts';

/** Reads inserted Changes from the table's stream and adds each to the global history. */
export const handler = streamHandler(addToHistory);
