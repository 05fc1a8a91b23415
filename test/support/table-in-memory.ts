import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, jest } from '@jest/globals';
import { readItems } from '#shared/table/client.ts';
import { dynamoDb } from '#shared/table/dynamodb.ts';
import {
  MemoryTable,
  type QueryInput,
  type Write,
  type WriteInput,
  type WriteKind,
  writeOf,
} from '../../local/memory/memory-table.ts';
import { type SdkRequest, type WatchedSdk, watchSdk } from './watch-sdk.ts';

/** More than any test sends: a loop that does not end fails at once, instead of after the time that a test may take. */
const maxRequests = 20_000;

const refused = { message: 'The conditional request failed', $metadata: {} };

/** A table in memory that answers immediately: for tests of the domain without the local engine. */
export interface TableInMemory {
  readonly table: MemoryTable;
  readonly sdk: WatchedSdk;
  /** Stores items unchanged. */
  readonly put: (...items: object[]) => void;
  /** Called before each request; may write or throw. */
  before: ((request: SdkRequest) => unknown) | undefined;
  /** Sets `before` for the first request whose command or input contains the text. */
  readonly beforeFirst: (text: string, act: () => unknown) => void;
}

/**
 * An empty table for each test of the file or the `describe`, at a time that is fixed until the test sets it. Its
 * members belong to the current test's table, so read them inside tests and hooks.
 */
export function tableForEachTest(at: Date | number = Date.parse('2026-11-20T19:00:00.000Z')): TableInMemory {
  const memory = {} as TableInMemory;
  beforeAll(warmUp);
  beforeEach(() => {
    jest.useFakeTimers({ now: at, doNotFake: ['nextTick'] });
    startTableInMemory(memory);
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  afterAll(() => {
    memory.sdk.fault = undefined;
  });
  return memory;
}

/** Becomes an empty table in memory, which answers the service's client from now on. */
function startTableInMemory(memory: TableInMemory): void {
  const table = new MemoryTable();
  const sdk = watchSdk(dynamoDb);
  const put = (...items: object[]) => {
    for (const item of items) table.writeAll([{ kind: 'Put', input: { Item: { ...item } } }]);
  };
  const beforeFirst: TableInMemory['beforeFirst'] = (text, act) => {
    memory.before = ({ command, input }) => {
      if (!`${command} ${JSON.stringify(input)}`.includes(text)) return undefined;
      memory.before = undefined;
      return act();
    };
  };
  Object.assign(memory, { table, sdk, put, before: undefined, beforeFirst });
  sdk.requests.length = 0;
  let count = 0;
  sdk.fault = async (request) => {
    count += 1;
    if (count > maxRequests) throw new Error(`A test sent more than ${maxRequests} requests`);
    await memory.before?.(request);
    return { response: { statusCode: 200 }, output: { $metadata: {}, ...answer(table, request) } };
  };
}

/** The SDK's first request waits for files, which fake timers cannot speed up. */
async function warmUp(): Promise<void> {
  startTableInMemory({} as TableInMemory);
  await readItems([{ pk: 'NONE', sk: 'NONE' }]);
}

const writeKinds: Readonly<Record<string, WriteKind>> = {
  PutItemCommand: 'Put',
  UpdateItemCommand: 'Update',
  DeleteItemCommand: 'Delete',
};

function answer(table: MemoryTable, { command, input }: SdkRequest): object {
  if (command === 'BatchGetItemCommand') return batchGet(table, input.RequestItems);
  if (command === 'QueryCommand') return table.query(plain(input) as QueryInput);
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
