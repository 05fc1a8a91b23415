import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { TestService } from './start-service.ts';

/** An item's `pk` and `sk`. */
export type ItemKey = readonly [pk: string, sk: string];

/** Sets an attribute in the table directly, or removes it when the value is undefined. */
export async function alterItem(
  { endpoint }: TestService,
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
  await documents(endpoint, (client) => client.send(new UpdateCommand(update)));
}

/** Deletes an item from the table directly. */
export async function removeItem({ endpoint }: TestService, [pk, sk]: ItemKey): Promise<void> {
  await documents(endpoint, (client) =>
    client.send(new DeleteCommand({ TableName: process.env.TABLE_NAME, Key: { pk, sk } })),
  );
}

async function documents(endpoint: string, use: (client: DynamoDBDocumentClient) => Promise<unknown>): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  await use(DynamoDBDocumentClient.from(client));
  client.destroy();
}
