import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import {
  type MemoryTable,
  type QueryInput,
  type Write,
  type WriteInput,
  type WriteKind,
  writeOf,
} from '../../local/memory/memory-table.ts';
import { type ScanInput, scanTable } from '../../local/memory/scan-table.ts';
import type { SdkRequest } from './watch-sdk.ts';

const refused = { message: 'The conditional request failed', $metadata: {} };

const writeKinds: Readonly<Record<string, WriteKind>> = {
  PutItemCommand: 'Put',
  UpdateItemCommand: 'Update',
  DeleteItemCommand: 'Delete',
};

/** The answer of a table in memory to a request of the SDK; throws its errors. */
export function answerInMemory(table: MemoryTable, { command, input }: SdkRequest): object {
  if (command === 'BatchGetItemCommand') return batchGet(table, input.RequestItems);
  if (command === 'QueryCommand') return table.query(plain(input) as QueryInput);
  if (command === 'ScanCommand') return scanTable(table, plain(input) as unknown as ScanInput);
  if (command === 'TransactWriteItemsCommand') return transact(table, input.TransactItems.map(plainWrite));
  const kind = writeKinds[command];
  if (kind === undefined) throw new Error(`${command} is not answered`);
  return writeOne(table, { kind, input: plain(input) });
}

function batchGet(table: MemoryTable, requested: Record<string, { Keys: Parameters<typeof unmarshall>[0][] }>) {
  for (const { Keys } of Object.values(requested)) {
    const distinct = new Set(Keys.map((key) => JSON.stringify(key)));
    if (distinct.size < Keys.length) throw new Error('Provided list of item keys contains duplicates');
  }
  const found = Object.entries(requested).map(([name, { Keys }]) => [
    name,
    Keys.flatMap((key) => table.get(unmarshall(key)) ?? []),
  ]);
  return { Responses: Object.fromEntries(found) };
}

function writeOne(table: MemoryTable, write: Write): object {
  for (const item of table.writeAll([write]).values()) {
    throw new ConditionalCheckFailedException({ ...refused, ...(item && { Item: marshall(item) }) });
  }
  return {};
}

function transact(table: MemoryTable, writes: readonly Write[]): object {
  if (writes.length < 1 || writes.length > 100) throw new Error('A transaction has 1 to 100 entries');
  const failed = table.writeAll(writes);
  if (failed.size === 0) return {};
  const CancellationReasons = writes.map((_, n) => {
    const item = failed.get(n);
    return failed.has(n) ? { Code: 'ConditionalCheckFailed', ...(item && { Item: marshall(item) }) } : { Code: 'None' };
  });
  throw new TransactionCanceledException({ ...refused, CancellationReasons });
}

function plainWrite(entry: Record<string, Parameters<typeof plain>[0]>): Write {
  const { kind, input } = writeOf(entry);
  return { kind, input: plain(input as Parameters<typeof plain>[0]) };
}

/** Returns an input with its values in the document client's format. */
function plain(input: Record<string, Parameters<typeof unmarshall>[0]>): WriteInput {
  const values = ['Key', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey'].filter((name) => input[name]);
  return { ...input, ...Object.fromEntries(values.map((name) => [name, unmarshall(input[name] ?? {})])) } as WriteInput;
}
