import { config } from '#shared/core/config.ts';
import { type Item, maxItemsPerPage, requirePart, sendRead } from './client.ts';
import { scan } from './dynamodb.ts';

/**
 * Reads these attributes of one page of all items that have the first of them, after a key if one is given; `next` is the key
 * to continue after, undefined at the end. Not strongly consistent: an item may be as it was a moment ago.
 */
export async function scanItems(
  attributes: readonly string[],
  after: Item | undefined,
  limit = maxItemsPerPage,
): Promise<{ items: Item[]; next: Item | undefined }> {
  const names = Object.fromEntries(attributes.map((name, at) => [`#${at}`, name]));
  const input = {
    TableName: config().tableName,
    Select: 'SPECIFIC_ATTRIBUTES',
    ProjectionExpression: Object.keys(names).join(', '),
    FilterExpression: 'attribute_exists(#0)',
    ExpressionAttributeNames: names,
    Limit: limit,
    ExclusiveStartKey: after,
  } as const;
  const { Items, LastEvaluatedKey } = await sendRead(() => scan(input));
  return { items: requirePart(Items), next: LastEvaluatedKey };
}
