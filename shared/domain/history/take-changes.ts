import { type StreamRecord, sequenceNumberOf } from '#shared/table/items/change-item.ts';
import { publishChanges } from './change-publisher.ts';
import { listInHistory } from './history-entries.ts';

/**
 * Publishes the changes of a batch of the stream and lists them in the history over all; neither waits for the other, nor
 * stops at its failure. Answers the sequence number from which the batch must be read again, undefined when all is done.
 */
export async function takeChanges(records: readonly StreamRecord[]): Promise<string | undefined> {
  const [unpublished, unlisted] = await Promise.all([publishChanges(records), listInHistory(records)]);
  return records.map(sequenceNumberOf).find((number) => number === unpublished || number === unlisted);
}
