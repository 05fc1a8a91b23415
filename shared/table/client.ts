import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { SignatureV4 } from '@smithy/signature-v4';
import { awsClientOptions, enforceDeadline } from '#shared/core/aws-client.ts';
import { currentSignal, jitter, outOfTime, pause, requireTime } from '#shared/core/clock.ts';
import { config } from '#shared/core/config.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { createRequestToken } from '#shared/core/ids.ts';
import { currentUsage } from '#shared/core/telemetry.ts';
import type { Key, Range } from './keys.ts';

type SdkError = Parameters<typeof isTransientError>[0];
type Attributes = ConditionalCheckFailedException['Item'];

/** An item as DynamoDB holds it; the item's own file reads it. */
export type Item = Record<string, unknown>;

/** One entry of a transaction. */
export type TransactEntry = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** DynamoDB takes at most so many entries in one transaction. */
export const maxTransactEntries = 100;

/** Outcome of a transaction; `failed` lists, by position, the items whose condition did not hold. */
export type TransactOutcome =
  | { readonly kind: 'committed' }
  | { readonly kind: 'refused'; readonly failed: ReadonlyMap<number, Item> }
  /** Another transaction held one of the items. */
  | { readonly kind: 'conflict' };

const maxBatchAttempts = 4;
const maxTransactAttempts = 6;
const maxWriteAttempts = 5;
/** DynamoDB takes at most so many keys in one BatchGetItem. */
const maxBatchKeys = 100;

/** Cancellation reasons that pass by themselves. */
const transientReasons = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** One client per process. The document client refuses chains of middlewares that are kept between requests. */
export const dynamoDb: DynamoDBClient = new DynamoDBClient({ ...awsClientOptions, cacheMiddleware: false, signer });
countUsage(dynamoDb);
enforceDeadline(dynamoDb);

const documents = DynamoDBDocumentClient.from(dynamoDb, {
  // A map with a key `constructor`, such as a role's name may be, does not pass for a plain object.
  marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
});

let onlySigner: SignatureV4 | undefined;

/** The SDK's own makes one for each request, from a copy of the client's whole configuration: 2 % of a read's CPU. */
async function signer(): Promise<SignatureV4> {
  const { credentials, region, sha256 } = dynamoDb.config;
  onlySigner ??= new SignatureV4({ credentials, region, sha256, service: 'dynamodb' });
  return onlySigner;
}

/** Reads items strongly consistent, 100 a request, in the order of the keys; what DynamoDB left unprocessed is asked again. */
export async function readItems(keys: readonly Key[]): Promise<(Item | undefined)[]> {
  const chunks = Array.from({ length: Math.ceil(keys.length / maxBatchKeys) }, (_, n) =>
    keys.slice(n * maxBatchKeys, (n + 1) * maxBatchKeys),
  );
  return (await Promise.all(chunks.map((chunk) => readChunk(chunk)))).flat();
}

/**
 * Reads items that are decided by together, 100 at most: what DynamoDB left unprocessed is asked again with all others,
 * so that they are of one request.
 */
export async function readTogether(keys: readonly Key[]): Promise<(Item | undefined)[]> {
  return readChunk(keys, { together: true });
}

async function readChunk(keys: readonly Key[], { together = false } = {}): Promise<(Item | undefined)[]> {
  const { tableName } = config();
  const found = new Map<string, Item>();
  let remaining: Item[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  for (let attempt = 0; remaining.length > 0; attempt++) {
    if (attempt === maxBatchAttempts) throw unavailable(new Error('DynamoDB kept leaving keys unprocessed'));
    if (attempt > 0) await pause(jitter(25 * 2 ** attempt));
    const command = new BatchGetCommand({ RequestItems: { [tableName]: { Keys: remaining, ConsistentRead: true } } });
    const { Responses, UnprocessedKeys } = await answered((options) => documents.send(command, options));
    for (const item of Responses?.[tableName] ?? []) found.set(`${item.pk}\n${item.sk}`, item);
    remaining = UnprocessedKeys?.[tableName]?.Keys ?? [];
    if (together && remaining.length > 0) {
      found.clear();
      remaining = keys.map(({ pk, sk }) => ({ pk, sk }));
    }
  }
  return keys.map(({ pk, sk }) => found.get(`${pk}\n${sk}`));
}

interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

/** Sends within the time of the current request. */
async function send<T>(command: (options: SendOptions) => Promise<T>): Promise<T> {
  requireTime();
  const abortSignal = currentSignal();
  return command(abortSignal === undefined ? {} : { abortSignal });
}

/** Sends a write of one item; again while a transaction holds the item. */
async function sendWrite<T>(command: (options: SendOptions) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(command);
    } catch (error) {
      if (!isTransactionConflict(error)) throw error;
      if (attempt === maxWriteAttempts) throw unavailable(error);
      await pause(jitter(25 * 2 ** attempt));
    }
  }
}

function isTransactionConflict(error: unknown): boolean {
  return error instanceof Error && error.name === 'TransactionConflictException';
}

async function answered<T>(command: (options: SendOptions) => Promise<T>): Promise<T> {
  try {
    return await send(command);
  } catch (error) {
    throw toUnavailable(error);
  }
}

/** Near the 1 MB that DynamoDB reads at most for one query; the local engine reads a whole partition without a limit. */
const maxItemsPerQuery = 2500;

/**
 * Reads one page of a range, from behind a key on; `next` is the key to continue from, undefined at the end. Where only
 * some items are asked for, the limit counts what DynamoDB reads. Default: `maxItemsPerQuery`.
 */
export async function queryItems(
  range: Range,
  { limit, after }: { readonly limit?: number | undefined; readonly after?: Item | undefined },
): Promise<{ items: (Item & Key)[]; next: Item | undefined }> {
  const { index, descending = false } = range;
  const command = new QueryCommand({
    TableName: config().tableName,
    IndexName: index,
    ConsistentRead: index === undefined,
    ...rangeExpressions(range),
    ScanIndexForward: !descending,
    Limit: limit ?? maxItemsPerQuery,
    ExclusiveStartKey: after,
  });
  const { Items = [], LastEvaluatedKey } = await answered((options) => documents.send(command, options));
  // Every item has its key.
  return { items: Items as (Item & Key)[], next: LastEvaluatedKey };
}

function rangeExpressions(range: Range) {
  const { index, pk } = range;
  const [partition, sort] = index === undefined ? ['pk', 'sk'] : ['gsi1pk', 'gsi1sk'];
  const { condition, values } = sortKeyRange(range);
  const filter = rangeFilter(range);
  return {
    KeyConditionExpression: `#pk = :pk${condition}`,
    ...(filter.clauses.length > 0 && { FilterExpression: filter.clauses.join(' AND ') }),
    ExpressionAttributeNames: { '#pk': partition, ...(condition !== '' && { '#sk': sort }), ...filter.names },
    ExpressionAttributeValues: { ':pk': pk, ...values, ...filter.values },
  };
}

function rangeFilter({ where, among, containing: { attribute, texts } = { attribute: '', texts: [] } }: Range) {
  const values = among?.values.map((_, at) => `:among${at}`) ?? [];
  return {
    clauses: [
      ...(where ? [`#where ${where.not === true ? '<>' : '='} :where`] : []),
      ...(among ? [`#among IN (${values.join(', ')})`] : []),
      ...texts.map((_, at) => `contains(#text, :text${at})`),
    ],
    names: {
      ...(where && { '#where': where.attribute }),
      ...(among && { '#among': among.attribute }),
      ...(texts.length > 0 && { '#text': attribute }),
    },
    values: {
      ...(where && { ':where': where.value }),
      ...Object.fromEntries(values.map((name, at) => [name, among?.values[at]])),
      ...Object.fromEntries(texts.map((text, at) => [`:text${at}`, text])),
    },
  };
}

function sortKeyRange({ prefix, above, between }: Range) {
  if (between !== undefined) {
    const values = { ':first': between.first, ':last': between.last };
    return { condition: ' AND #sk BETWEEN :first AND :last', values } as const;
  }
  if (prefix !== undefined) {
    // All that begin so, in the order of UTF-8; begins_with means the same on AWS, but the local emulator's ignores case.
    const values = { ':first': prefix, ':last': `${prefix}\u{10FFFF}` };
    return { condition: ' AND #sk BETWEEN :first AND :last', values } as const;
  }
  if (above !== undefined) return { condition: ' AND #sk > :above', values: { ':above': above } } as const;
  return { condition: '', values: {} } as const;
}

/** Updates one item by itself; answers the attributes that the update asks for in return, by default none. */
export async function updateItem(update: UpdateCommandInput): Promise<Item> {
  try {
    const { Attributes = {} } = await sendWrite((options) => documents.send(new UpdateCommand(update), options));
    return Attributes;
  } catch (error) {
    throw toUnavailable(error);
  }
}

/** Writes one item by itself; answers the existing item when its condition does not hold. */
export async function putItem({ Put }: { readonly Put: PutCommandInput }): Promise<Item | undefined> {
  try {
    await sendWrite((options) => documents.send(new PutCommand(Put), options));
    return undefined;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return itemOf(error.Item);
    throw toUnavailable(error);
  }
}

/**
 * Writes all entries or none. When DynamoDB does not answer, the SDK sends the transaction again under the same
 * ClientRequestToken, by which DynamoDB recognises it. One that is in progress is this very one: it is asked for again
 * until it has ended or the time is up.
 */
export async function transact(entries: readonly TransactEntry[]): Promise<TransactOutcome> {
  const input = { TransactItems: [...entries], ClientRequestToken: createRequestToken() };
  for (let attempt = 1; attempt <= maxTransactAttempts; attempt++) {
    try {
      await send((options) => documents.send(new TransactWriteCommand(input), options));
      return { kind: 'committed' };
    } catch (error) {
      if (error instanceof TransactionCanceledException) return cancelled(error);
      if (!(error instanceof TransactionInProgressException)) throw toUnavailable(error);
      await pause(jitter(50 * 2 ** attempt));
    }
  }
  throw unavailable(new Error('DynamoDB kept a transaction in progress'));
}

function cancelled(error: TransactionCanceledException): TransactOutcome {
  const reasons = error.CancellationReasons ?? [];
  const failed = new Map<number, Item>();
  for (const [position, reason] of reasons.entries()) {
    if (reason.Code === 'ConditionalCheckFailed') failed.set(position, itemOf(reason.Item));
  }
  if (failed.size > 0) return { kind: 'refused', failed };
  if (reasons.some((reason) => transientReasons.has(reason.Code ?? ''))) return { kind: 'conflict' };
  throw error;
}

/** The document client leaves the items of errors as they are. */
function itemOf(attributes: Attributes): Item {
  return attributes === undefined ? {} : unmarshall(attributes);
}

/**
 * DynamoDB did not answer, asked to come later, or answered what cannot be read: 503, and whether a write took effect the
 * next attempt tells. Everything else is a defect of the service: 500.
 */
function toUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ServiceError) return error;
  if (error.name === 'AbortError') return outOfTime(error);
  const transient =
    isTransientError(error as SdkError) || isThrottlingError(error as SdkError) || isServerError(error as SdkError);
  return transient || isUnreadable(error) ? unavailable(error) : error;
}

/** By its name the SDK says that an answer has no code, as one that was cut off. */
function isUnreadable(error: Error): boolean {
  return error instanceof SyntaxError || error.name === 'Unknown';
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('unavailable', { detail: 'The database did not answer. Try again.', cause });
}

/** Counts each request of a client, and the capacity that DynamoDB says it consumed. */
function countUsage({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next) => async (args) => {
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      const usage = currentUsage();
      if (usage !== undefined) usage.consumedCapacity += unitsOf(result.output);
      return result;
    },
    { step: 'initialize', name: 'countCapacity' },
  );
  middlewareStack.add(
    (next) => (args) => {
      const usage = currentUsage();
      if (usage !== undefined) usage.dynamoDbRequests += 1;
      return next(args);
    },
    // Behind the retries.
    { step: 'finalizeRequest', priority: 'low', name: 'countRequests' },
  );
}

/** One table's or, of a batch or transaction, those of each. */
function unitsOf(output: object): number {
  const { ConsumedCapacity = [] } = output as { ConsumedCapacity?: Capacity | readonly Capacity[] };
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

interface Capacity {
  readonly CapacityUnits?: number;
}
