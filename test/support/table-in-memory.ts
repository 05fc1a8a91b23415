import { afterAll, afterEach, beforeAll, beforeEach, jest } from '@jest/globals';
import { readItems } from '#shared/table/client.ts';
import { dynamoDb } from '#shared/table/dynamodb.ts';
import { MemoryTable } from '../../local/memory/memory-table.ts';
import { answerInMemory } from './answer-in-memory.ts';
import { type SdkRequest, type WatchedSdk, watchSdk } from './watch-sdk.ts';

/** More than any other test sends: a loop that does not end fails at once, instead of after the time that a test may take. */
const usualRequests = 20_000;

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
export function tableForEachTest(
  at: Date | number = Date.parse('2026-11-20T19:00:00.000Z'),
  { maxRequests = usualRequests }: { readonly maxRequests?: number } = {},
): TableInMemory {
  const memory = {} as TableInMemory;
  beforeAll(warmUp);
  beforeEach(() => {
    jest.useFakeTimers({ now: at, doNotFake: ['nextTick'] });
    startTableInMemory(memory, maxRequests);
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
function startTableInMemory(memory: TableInMemory, maxRequests: number): void {
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
    return { response: { statusCode: 200 }, output: { $metadata: {}, ...answerInMemory(table, request) } };
  };
}

/** The SDK's first request waits for files, which fake timers cannot speed up. */
async function warmUp(): Promise<void> {
  startTableInMemory({} as TableInMemory, usualRequests);
  await readItems([{ pk: 'NONE', sk: 'NONE' }]);
}
