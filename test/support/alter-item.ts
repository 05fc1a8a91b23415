import { BatchWriteCommand, DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient } from './document-client.ts';
import type { TestService } from './start-service.ts';

/** The service whose table is altered. */
type Altered = Pick<TestService, 'endpoint'>;

const mostItemsPerBatch = 25;

/** An item's `pk` and `sk`. */
export type ItemKey = readonly [pk: string, sk: string];

/** Sets an attribute in the table directly, or removes it when the value is undefined. */
export async function alterItem(
  { endpoint }: Altered,
  [pk, sk]: ItemKey,
  path: readonly string[],
  value?: unknown,
): Promise<void> {
  const attribute = path.map((_, index) => `#${index}`).join('.');
  const update = {
    TableName: process.env.TABLE_NAME,
    Key: { pk, sk },
    ExpressionAttributeNames: Object.fromEntries(path.map((name, index) => [`#${index}`, name])),
    ...(value === undefined
      ? { UpdateExpression: `REMOVE ${attribute}` }
      : { UpdateExpression: `SET ${attribute} = :value`, ExpressionAttributeValues: { ':value': value } }),
  };
  await documentClient(endpoint).send(new UpdateCommand(update));
}

/** Deletes an item from the table directly. */
export async function removeItem({ endpoint }: Altered, [pk, sk]: ItemKey): Promise<void> {
  await documentClient(endpoint).send(new DeleteCommand({ TableName: process.env.TABLE_NAME, Key: { pk, sk } }));
}

/** Puts any number of items into the table directly, unchanged. */
export async function putItems({ endpoint }: Altered, ...items: readonly object[]): Promise<void> {
  for (let n = 0; n < items.length; n += mostItemsPerBatch) {
    const puts = items.slice(n, n + mostItemsPerBatch).map((item) => ({ PutRequest: { Item: { ...item } } }));
    const RequestItems = { [process.env.TABLE_NAME ?? '']: puts };
    await documentClient(endpoint).send(new BatchWriteCommand({ RequestItems }));
  }
}
