import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { takeChanges } from '#shared/domain/history/take-changes.ts';

/** The table's stream, of inserted Changes: puts each on the event bus, and lists it in the history over all. */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const goOnFrom = await takeChanges(Records);
  return { batchItemFailures: goOnFrom === undefined ? [] : [{ itemIdentifier: goOnFrom }] };
}
