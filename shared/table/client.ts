import { AsyncLocalStorage } from 'node:async_hooks';
import type { PutCommandInput, TransactWriteCommandInput, UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { isRepairedFormat, tableFormatKey, tableFormatProblem } from '#shared/contract/table-format.ts';
import { jitter, outOfTime, pause, requireTime } from '#shared/core/clock.ts';
import { config } from '#shared/core/config.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { createRequestToken } from '#shared/core/ids.ts';
import {
  batchGet,
  type CancellationReason,
  failureOf,
  type Item,
  put,
  query,
  remove,
  transactWrite,
  update,
} from './dynamodb.ts';
import type { Key, Range } from './key.ts';

export type { Item } from './dynamodb.ts';

/** One entry of a transaction. */
export type TransactEntry = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The most entries that DynamoDB accepts in one transaction. */
export const maxTransactEntries = 100;

/** Outcome of a transaction; `failed` holds the existing item, by position, for each entry whose condition failed. */
export type TransactOutcome =
  | { readonly kind: 'committed' }
  | { readonly kind: 'refused'; readonly failed: ReadonlyMap<number, Item> }
  /** Another transaction is writing one of the items. */
  | { readonly kind: 'conflict' };

const maxBatchAttempts = 4;
const maxTransactAttempts = 6;
const maxWriteAttempts = 5;
/** The most keys that DynamoDB accepts in one BatchGetItem. */
const maxBatchKeys = 100;

/** Cancellation reasons that are transient. */
const transientReasons = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/**
 * Reads items, strongly consistent, 100 per request, in the order of the keys; retries keys that DynamoDB leaves
 * unprocessed.
 */
export async function readItems(keys: readonly Key[]): Promise<(Item | undefined)[]> {
  return (await Promise.all(inBatches(keys, maxBatchKeys).map((batch) => readBatch(batch)))).flat();
}

/**
 * Reads the items that one decision depends on, in one request unless they are more than 100. If DynamoDB leaves a key
 * unprocessed, all keys are read again, so that all items are of the same time.
 */
export async function readTogether(keys: readonly Key[]): Promise<(Item | undefined)[]> {
  return readBatch(keys, { together: true });
}

/** Divides a list into parts of this size; the last one may be smaller. */
export function inBatches<One>(all: readonly One[], size: number): (readonly One[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
}

let isFormatChecked = false;
const repairing = new AsyncLocalStorage<true>();

/** Runs a repair, which may also read and write a table of an older format that it brings to this one. */
export function withOlderFormat<T>(repair: () => Promise<T>): Promise<T> {
  return repairing.run(true, repair);
}

/** Reads the format of the table together with the first keys of a process, which costs no extra request. */
async function readBatch(keys: readonly Key[], options = {}): Promise<(Item | undefined)[]> {
  if (isFormatChecked || keys.length === 0 || keys.length === maxBatchKeys) return readKeys(keys, options);
  const others = keys.filter(({ pk }) => pk !== tableFormatKey.pk);
  const items = await readKeys([...others, tableFormatKey], options);
  isFormatChecked = requireFormat(items.at(-1));
  return keys.map((key) => items[others.includes(key) ? others.indexOf(key) : others.length]);
}

/**
 * Refuses to use a table of another format: 503, and the log says what to do. A new table has no format yet. False if the format
 * must be read again, because a repair is about to change it.
 */
function requireFormat(item: Item | undefined): boolean {
  const problem = item && tableFormatProblem(item.format);
  if (problem === undefined) return true;
  if (repairing.getStore() && isRepairedFormat(item?.format)) return false;
  const detail =
    "The service is unavailable: its table has a format that it cannot use. Contact the service's operators.";
  throw new ServiceError('unavailable', { detail, cause: new Error(problem) });
}

async function readKeys(keys: readonly Key[], { together = false }): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>();
  const all = keys.map(({ pk, sk }) => ({ pk, sk }));
  let remaining: readonly Item[] = all;
  for (let attempt = 0; remaining.length > 0; attempt++) {
    if (attempt === maxBatchAttempts) throw unavailable(new Error('DynamoDB left keys unprocessed in every attempt'));
    if (attempt > 0) await pause(jitter(25 * 2 ** attempt));
    const answers = await Promise.all(inBatches(remaining, maxBatchKeys).map(requestItems));
    for (const item of answers.flatMap(({ items }) => items)) found.set(`${item.pk}\n${item.sk}`, item);
    remaining = answers.flatMap(({ unprocessed }) => unprocessed);
    if (together && remaining.length > 0) {
      found.clear();
      remaining = all;
    }
  }
  return keys.map(({ pk, sk }) => found.get(`${pk}\n${sk}`));
}

async function requestItems(keys: readonly Item[]) {
  const { tableName } = config();
  const input = { RequestItems: { [tableName]: { Keys: [...keys], ConsistentRead: true } } };
  const { Responses, UnprocessedKeys } = await sendRead(() => batchGet(input));
  const responses = requirePart(Responses ?? (UnprocessedKeys && {}));
  return { items: responses[tableName] ?? [], unprocessed: UnprocessedKeys?.[tableName]?.Keys ?? [] };
}

/** Sends a request unless the current one has run out of time, which also aborts it. */
async function send<T>(request: () => Promise<T>): Promise<T> {
  requireTime();
  return request();
}

/** Sends a write of one item; retries while a transaction is writing the item. */
async function sendWrite<T>(request: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(request);
    } catch (error) {
      if (failureOf(error).kind !== 'conflict') throw error;
      if (attempt === maxWriteAttempts) throw unavailable(error);
      await pause(jitter(25 * 2 ** attempt));
    }
  }
}

/** Sends a read unless the current request has run out of time; 503 if DynamoDB does not respond. */
export async function sendRead<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await send(request);
  } catch (error) {
    throw toUnavailable(error);
  }
}

/** Requires a part that every answer to a read has: an answer that was lost on the way may arrive empty, with status 200. */
export function requirePart<T>(part: T | undefined): T {
  if (part === undefined) throw unavailable(new Error('DynamoDB answered a read without its result'));
  return part;
}

/** Close to the 1 MB that DynamoDB reads for one page; without a limit the local engine would read everything. */
export const maxItemsPerPage = 2500;

/**
 * Reads one page of a range, after a key if one is given; `next` is the key to continue after, undefined at the end. The
 * limit counts the items that DynamoDB reads before it filters them. Default: `maxItemsPerPage`.
 */
export async function queryItems(
  range: Range,
  { limit, after }: { readonly limit?: number | undefined; readonly after?: Item | undefined },
): Promise<{ items: (Item & Key)[]; next: Item | undefined }> {
  const { index, descending = false } = range;
  const input = {
    TableName: config().tableName,
    IndexName: index,
    ConsistentRead: index === undefined,
    ...rangeExpressions(range),
    ScanIndexForward: !descending,
    Limit: limit ?? maxItemsPerPage,
    ExclusiveStartKey: after,
  };
  const { Items, LastEvaluatedKey } = await sendRead(() => query(input));
  // Every item includes its key.
  return { items: requirePart(Items) as (Item & Key)[], next: LastEvaluatedKey };
}

function rangeExpressions(range: Range) {
  const { index, pk } = range;
  const [partition, sort] = index === undefined ? ['pk', 'sk'] : [`${index}pk`, `${index}sk`];
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
    // All keys with this prefix, in UTF-8 order. Equivalent to begins_with on AWS, but that of the local engine ignores case.
    const values = { ':first': prefix, ':last': `${prefix}\u{10FFFF}` };
    return { condition: ' AND #sk BETWEEN :first AND :last', values } as const;
  }
  if (above !== undefined) return { condition: ' AND #sk > :above', values: { ':above': above } } as const;
  return { condition: '', values: {} } as const;
}

/** Updates one item outside a transaction; returns the attributes requested by `ReturnValues`, by default none. */
export async function updateItem(input: UpdateCommandInput): Promise<Item> {
  try {
    const { Attributes = {} } = await sendWrite(() => update(input));
    return Attributes;
  } catch (error) {
    throw toUnavailable(error);
  }
}

/** Updates one item outside a transaction; false if the condition failed. */
export async function updateItemIf(input: UpdateCommandInput): Promise<boolean> {
  try {
    await sendWrite(() => update(input));
    return true;
  } catch (error) {
    if (failureOf(error).kind === 'condition failed') return false;
    throw toUnavailable(error);
  }
}

/** Writes one item outside a transaction; returns the existing item if the condition failed. */
export async function putItem({ Put }: { readonly Put: PutCommandInput }): Promise<Item | undefined> {
  try {
    await sendWrite(() => put(Put));
    return undefined;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === 'condition failed') return failure.item;
    throw toUnavailable(error);
  }
}

/** Deletes one item outside a transaction; a missing item is not an error. */
export async function deleteItem({ pk, sk }: Key): Promise<void> {
  const input = { TableName: config().tableName, Key: { pk, sk } };
  try {
    await sendWrite(() => remove(input));
  } catch (error) {
    throw toUnavailable(error);
  }
}

/**
 * Writes all entries or none. If DynamoDB does not respond, the SDK retries with the same ClientRequestToken, by which
 * DynamoDB recognizes the transaction. So a transaction reported as in progress is this one: the request is repeated until
 * it has completed or attempts or time run out.
 */
export async function transact(entries: readonly TransactEntry[]): Promise<TransactOutcome> {
  const input = { TransactItems: [...entries], ClientRequestToken: createRequestToken() };
  for (let attempt = 1; attempt <= maxTransactAttempts; attempt++) {
    try {
      await send(() => transactWrite(input));
      return { kind: 'committed' };
    } catch (error) {
      const failure = failureOf(error);
      const outcome = failure.kind === 'cancelled' ? outcomeOfCancellation(failure.reasons) : undefined;
      if (outcome !== undefined) return outcome;
      if (failure.kind !== 'in progress') throw toUnavailable(error);
      await pause(jitter(50 * 2 ** attempt));
    }
  }
  throw unavailable(new Error('A transaction was still in progress after the last attempt'));
}

/** Undefined if reading and deciding again would not help. */
function outcomeOfCancellation(reasons: readonly CancellationReason[]): TransactOutcome | undefined {
  const failed = new Map<number, Item>();
  for (const [position, { code, item }] of reasons.entries()) {
    if (code === 'ConditionalCheckFailed') failed.set(position, item);
  }
  if (failed.size > 0) return { kind: 'refused', failed };
  return reasons.some(({ code }) => transientReasons.has(code)) ? { kind: 'conflict' } : undefined;
}

/** 503 if DynamoDB did not respond; only the next attempt shows whether a write took effect. Anything else is a bug: 500. */
function toUnavailable(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  const { kind } = failureOf(error);
  if (kind === 'aborted') return outOfTime(error);
  return kind === 'unavailable' ? unavailable(error) : error;
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('unavailable', { detail: 'The database did not respond. Try again.', cause });
}
