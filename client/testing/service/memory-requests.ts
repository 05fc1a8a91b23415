import { now } from '#shared/core/clock.ts';
import type * as dynamoDb from '#shared/table/dynamodb.ts';
import {
  MemoryTable,
  type QueryInput,
  type Write,
  type WriteInput,
  writeOf,
} from '../../../local/memory/memory-table.ts';

/* Stands in for `shared/table/dynamodb.ts` in the bundle of the fake: the same requests to a table in memory. */

const table = new MemoryTable();

/** A failed condition, or the failed conditions of a transaction. */
class Refused extends Error {
  readonly failure: dynamoDb.TableFailure;

  constructor(failure: dynamoDb.TableFailure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** Reads items by key. */
export const batchGet: typeof dynamoDb.batchGet = async ({ RequestItems = {} }) => {
  const found = Object.entries(RequestItems).map(([name, { Keys = [] }]) => [
    name,
    Keys.flatMap((key) => table.get(key) ?? []),
  ]);
  return { $metadata: {}, Responses: Object.fromEntries(found) };
};

/** Reads a page of a partition. */
export const query: typeof dynamoDb.query = async (input) => {
  const { Items, LastEvaluatedKey } = table.query(input as QueryInput);
  return { $metadata: {}, Items: [...Items], LastEvaluatedKey };
};

/** Writes one item. */
export const put: typeof dynamoDb.put = async (input) => {
  writeOne({ kind: 'Put', input: input as WriteInput });
};

/** Updates one item. */
export const update: typeof dynamoDb.update = async (input) => {
  writeOne({ kind: 'Update', input: input as WriteInput });
  return { $metadata: {}, Attributes: { ...table.get(input.Key ?? {}) } };
};

/** Deletes one item. */
export const remove: typeof dynamoDb.remove = async (input) => {
  writeOne({ kind: 'Delete', input: input as WriteInput });
};

/** Writes all entries or none. */
export const transactWrite: typeof dynamoDb.transactWrite = async ({ TransactItems = [] }) => {
  const refused = table.writeAll(TransactItems.map((entry) => writeOf(entry as Parameters<typeof writeOf>[0])));
  if (refused.size === 0) return;
  const reasons = TransactItems.map((_, n) => ({
    code: refused.has(n) ? 'ConditionalCheckFailed' : 'None',
    item: { ...refused.get(n) },
  }));
  throw new Refused({ kind: 'cancelled', reasons });
};

/** Interprets an error thrown by a request. */
export const failureOf: typeof dynamoDb.failureOf = (error) =>
  error instanceof Refused ? error.failure : { kind: 'defect' };

/** The feeds in which changes have no number yet. */
export function pendingFeeds(): Set<string> {
  const pending = table.items().filter(({ sk }) => String(sk).startsWith('PENDING#'));
  return new Set(pending.map(({ pk }) => String(pk).slice('FEED#'.length)));
}

/** Removes the items whose `ttl` has passed, as the table does within two days. */
export function removeExpiredItems(): void {
  const seconds = now().getTime() / 1000;
  const expired = table.items().filter(({ ttl }) => typeof ttl === 'number' && ttl <= seconds);
  table.writeAll(expired.map(({ pk, sk }) => ({ kind: 'Delete', input: { Key: { pk, sk } } })));
}

function writeOne(write: Write): void {
  for (const item of table.writeAll([write]).values()) {
    throw new Refused({ kind: 'condition failed', item: { ...item } });
  }
}
