import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  TransactionInProgressException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput, UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { awsClientOptions } from '#shared/core/aws-client.ts';
import { pause } from '#shared/core/clock.ts';
import { config } from '#shared/core/config.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { jitter } from '#shared/core/ids.ts';
import { countUsage } from './count-usage.ts';
import type { Key, Range } from './keys.ts';

type Attributes = Record<string, AttributeValue>;
type SdkError = Parameters<typeof isTransientError>[0];

/** An item as DynamoDB holds it; each item's own file turns it into a type. */
export type Item = Record<string, unknown>;

/** One entry of a transaction, made by the item's own file. */
export type TransactEntry = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** How a transaction ended; `failed` lists, by position, the items that stood in the way of a condition. */
export type TransactOutcome =
  | { readonly kind: 'committed' }
  /** A condition did not hold. */
  | { readonly kind: 'refused'; readonly failed: ReadonlyMap<number, Item> }
  /** Another transaction held one of the items. */
  | { readonly kind: 'conflict' };

const maxBatchReads = 4;

/** Reasons of a cancelled transaction that pass by themselves. */
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** One client per process. */
export const dynamoDb = new DynamoDBClient(awsClientOptions);
countUsage(dynamoDb);

/** Reads items strongly consistent in one request, in the order of the keys; what DynamoDB left unprocessed is asked again. */
export async function readItems(keys: readonly Key[]): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>();
  let wanted: readonly Attributes[] = keys.map(({ pk, sk }) => attributesOf({ pk, sk }));
  for (let read = 0; wanted.length > 0; read++) {
    if (read === maxBatchReads) throw unavailable(new Error('DynamoDB kept leaving keys unprocessed'));
    if (read > 0) await pause(jitter(25 * 2 ** read));
    const answer = await batchGet(wanted);
    for (const item of answer.Responses?.[config.tableName]?.map(itemOf) ?? [])
      found.set(`${item.pk}\n${item.sk}`, item);
    wanted = answer.UnprocessedKeys?.[config.tableName]?.Keys ?? [];
  }
  return keys.map(({ pk, sk }) => found.get(`${pk}\n${sk}`));
}

function batchGet(keys: readonly Attributes[]) {
  const tableKeys = { Keys: [...keys], ConsistentRead: true };
  return answered(() => dynamoDb.send(new BatchGetItemCommand({ RequestItems: { [config.tableName]: tableKeys } })));
}

async function answered<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    throw translated(error);
  }
}

/** Reads one page of a range, from behind a key on; `next` is the key to go on from, undefined at the end. */
export async function queryItems(
  { index, pk, prefix, below, descending = false }: Range,
  { limit, after }: { readonly limit: number; readonly after?: Item | undefined },
): Promise<{ items: Item[]; next: Item | undefined }> {
  const names = index === undefined ? { '#pk': 'pk', '#sk': 'sk' } : { '#pk': 'gsi1pk', '#sk': 'gsi1sk' };
  const { condition, values } = sortKeyRange(prefix, below);
  const command = new QueryCommand({
    TableName: config.tableName,
    IndexName: index,
    ConsistentRead: index === undefined,
    KeyConditionExpression: `#pk = :pk${condition}`,
    ExpressionAttributeNames: condition === '' ? { '#pk': names['#pk'] } : names,
    ExpressionAttributeValues: attributesOf({ ':pk': pk, ...values }),
    ScanIndexForward: !descending,
    Limit: limit,
    ExclusiveStartKey: after && attributesOf(after),
  });
  const { Items = [], LastEvaluatedKey } = await answered(() => dynamoDb.send(command));
  return { items: Items.map(itemOf), next: LastEvaluatedKey && itemOf(LastEvaluatedKey) };
}

function sortKeyRange(prefix: string | undefined, below: string | undefined) {
  if (prefix !== undefined) {
    // What begins so, in the order of UTF-8; begins_with means the same on AWS, but the local emulator's ignores case.
    const values = { ':first': prefix, ':last': `${prefix}\u{10FFFF}` };
    return { condition: ' AND #sk BETWEEN :first AND :last', values } as const;
  }
  if (below !== undefined) return { condition: ' AND #sk < :below', values: { ':below': below } } as const;
  return { condition: '', values: {} } as const;
}

/** Updates one item by itself. */
export async function updateItem(update: UpdateCommandInput): Promise<void> {
  await answered(() => dynamoDb.send(new UpdateItemCommand(withAttributes(update))));
}

/** Writes an item that must not exist yet; answers the one that stands there when it does. */
export async function putNew(item: Item & Key): Promise<Item | undefined> {
  const { Put } = putNewEntry(item);
  try {
    await dynamoDb.send(new PutItemCommand(withAttributes(Put)));
    return undefined;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return itemOf(error.Item);
    throw translated(error);
  }
}

/** The same as an entry of a transaction. */
export function putNewEntry(item: Item & Key) {
  return {
    Put: {
      TableName: config.tableName,
      Item: item,
      ConditionExpression: 'attribute_not_exists(#pk)',
      ExpressionAttributeNames: { '#pk': 'pk' },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  } as const satisfies TransactEntry;
}

/**
 * Writes all entries or none. The SDK sends it again under one ClientRequestToken of its own when DynamoDB does not
 * answer, which DynamoDB takes as the same transaction.
 */
export async function transact(entries: readonly TransactEntry[]): Promise<TransactOutcome> {
  try {
    await dynamoDb.send(new TransactWriteItemsCommand({ TransactItems: entries.map(transactItem) }));
    return { kind: 'committed' };
  } catch (error) {
    if (error instanceof TransactionCanceledException) return cancelled(error);
    if (error instanceof TransactionInProgressException) return { kind: 'conflict' };
    throw translated(error);
  }
}

function cancelled(error: TransactionCanceledException): TransactOutcome {
  const reasons = error.CancellationReasons ?? [];
  const failed = new Map<number, Item>();
  for (const [position, reason] of reasons.entries()) {
    if (reason.Code === 'ConditionalCheckFailed') failed.set(position, itemOf(reason.Item));
  }
  if (failed.size > 0) return { kind: 'refused', failed };
  if (reasons.some((reason) => passing.has(reason.Code ?? ''))) return { kind: 'conflict' };
  throw error;
}

function transactItem(entry: TransactEntry): TransactWriteItem {
  const operations = Object.entries(entry).map(([kind, operation]) => [kind, withAttributes(operation as Plain)]);
  return Object.fromEntries(operations);
}

/** What an operation says with its items and values as DynamoDB takes them. */
function withAttributes<Operation extends Plain>({ Key, Item, ExpressionAttributeValues, ...operation }: Operation) {
  return {
    ...operation,
    Key: Key && attributesOf(Key),
    Item: Item && attributesOf(Item),
    ExpressionAttributeValues: ExpressionAttributeValues && attributesOf(ExpressionAttributeValues),
  } as Attributed<Operation>;
}

interface Plain {
  readonly Key?: Item | undefined;
  readonly Item?: Item | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
}

type Attributed<Operation> = { [Name in keyof Operation]: Name extends keyof Plain ? Attributes : Operation[Name] };

/** A map with a key `constructor`, such as a role's name may be, does not pass for a plain object. */
function attributesOf(item: Item): Attributes {
  return marshall(item, { removeUndefinedValues: true, convertClassInstanceToMap: true });
}

function itemOf(attributes: Attributes | undefined): Item {
  return attributes === undefined ? {} : unmarshall(attributes);
}

/** DynamoDB did not answer, or asked to come later: 503. Everything else is our own mistake: 500. */
function translated(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const passes =
    isTransientError(error as SdkError) || isThrottlingError(error as SdkError) || isServerError(error as SdkError);
  return passes ? unavailable(error) : error;
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('unavailable', { detail: 'The database did not answer. Try again.', cause });
}
