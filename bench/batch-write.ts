import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Item } from '#shared/table/client.ts';
import { localAccess } from '../local/local-credentials.ts';

const itemsPerRequest = 25;
const requestsAtOnce = 8;

/** Writes items by BatchWriteItem, 25 at once, and answers how many a second the engine took. */
export async function batchWrite(
  { endpoint, tableName }: { readonly endpoint: string; readonly tableName: string },
  items: Iterable<Item>,
): Promise<number> {
  const client = new DynamoDBClient({ endpoint, ...localAccess });
  const documents = DynamoDBDocumentClient.from(client);
  const batches = batchesOf(items);
  const startedAt = Date.now();
  const written = await Promise.all(
    Array.from({ length: requestsAtOnce }, async () => {
      let count = 0;
      // One iterator for all: each takes the next batch.
      for (const batch of batches) {
        const requests = batch.map((Item) => ({ PutRequest: { Item } }));
        const { UnprocessedItems = {} } = await documents.send(
          new BatchWriteCommand({ RequestItems: { [tableName]: requests } }),
        );
        if (Object.keys(UnprocessedItems).length > 0) throw new Error('The engine left items unprocessed');
        count += batch.length;
      }
      return count;
    }),
  );
  client.destroy();
  return written.reduce((sum, count) => sum + count, 0) / ((Date.now() - startedAt) / 1000);
}

function* batchesOf(items: Iterable<Item>): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < itemsPerRequest) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
