import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { publishChanges } from '#shared/domain/history/change-publisher.ts';

/** The table's stream, of inserted Changes: puts each on the event bus. */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const goOnFrom = await publishChanges(Records);
  return { batchItemFailures: goOnFrom === undefined ? [] : [{ itemIdentifier: goOnFrom }] };
}
