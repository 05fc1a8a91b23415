import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionCanceledException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { currentUsage, trackUsage } from '#shared/core/telemetry.ts';
import { putItem, readItems, readTogether, transact, updateItem } from '#shared/table/client.ts';
import { dynamoDb, failureOf } from '#shared/table/dynamodb.ts';
import { putNewEntry, updateEntry, updateOf } from '#shared/table/expression.ts';
import { type SdkRequest, type WatchedSdk, watchSdk } from '../../support/watch-sdk.ts';

const [table = ''] = [process.env.TABLE_NAME];
const [key, other] = [
  { pk: 'KEY#1', sk: 'ITEM' },
  { pk: 'KEY#2', sk: 'ITEM' },
];
const options = { message: 'refused', $metadata: {} };
const named = (name: string) =>
  new DynamoDBServiceException({ ...options, name, $fault: 'client', $metadata: { httpStatusCode: statusOf(name) } });
const statusOf = (name: string) => (name === 'InternalServerError' ? 500 : 400);
const conflict = named('TransactionConflictException');
const inProgress = new TransactionInProgressException({ Message: 'in progress', ...options });
const cancelledBy = (...codes: string[]) =>
  new TransactionCanceledException({ ...options, CancellationReasons: codes.map((Code) => ({ Code })) });

describe('requests that DynamoDB does not complete immediately', () => {
  let sdk: WatchedSdk;
  /** The responses to the requests in sequence; after them, requests succeed. */
  let answers: (Error | object)[] = [];

  beforeAll(async () => {
    sdk = watchSdk(dynamoDb);
    sdk.fault = async () => ({ response: { statusCode: 200 }, output: { $metadata: {}, Responses: {} } });
    // The SDK's first request waits for files instead of a timer.
    await readItems([key]);
  });
  beforeEach(() => {
    jest.useFakeTimers();
    sdk.requests.length = 0;
    sdk.fault = async () => {
      const next = answers.shift() ?? { Responses: {} };
      if (next instanceof Error) throw next;
      return { response: { statusCode: 200 }, output: { $metadata: {}, ...next } };
    };
  });
  afterEach(() => {
    jest.useRealTimers();
    sdk.fault = undefined;
    answers = [];
  });

  /** Returns the outcome, and the number of requests. */
  const outcomeOf = async (send: () => Promise<unknown>, ...given: (Error | object)[]) => {
    answers = given;
    const settled = send().then(
      (value) => value,
      (error) => (error.code as string | undefined) ?? error.name,
    );
    await jest.advanceTimersByTimeAsync(60_000);
    return [await settled, sdk.requests.length];
  };
  const times = (count: number, error: Error) => Array.from({ length: count }, () => error);
  const change = () => transact([updateEntry({ key, set: { seen: 'today' } })]);

  test.each([
    ['a put', () => putItem(putNewEntry(key))],
    ['an update', () => updateItem(updateOf({ key, set: { seen: 'today' } })).then(() => undefined)],
  ])('%s is retried while a transaction holds its item, at most five times', async (_, send) => {
    expect(await outcomeOf(send, ...times(4, conflict))).toEqual([undefined, 5]);
    sdk.requests.length = 0;
    expect(await outcomeOf(send, ...times(5, conflict))).toEqual(['unavailable', 5]);
  });

  test('a put that finds an existing item returns it without a retry', async () => {
    const found = new ConditionalCheckFailedException({ ...options, Item: marshall({ ...key, version: 3 }) });
    expect(await outcomeOf(() => putItem(putNewEntry(key)), found)).toEqual([{ ...key, version: 3 }, 1]);
    const nothing = new ConditionalCheckFailedException(options);
    expect((await outcomeOf(() => putItem(putNewEntry(key)), nothing))[0]).toEqual({});
  });

  test('an invalid request is a defect, not 503', async () => {
    for (const send of [() => putItem(putNewEntry(key)), change, () => readItems([key])]) {
      sdk.requests.length = 0;
      expect(await outcomeOf(send, named('ValidationException'))).toEqual(['ValidationException', 1]);
    }
  });

  test.each(['ThrottlingException', 'ProvisionedThroughputExceededException', 'InternalServerError', 'TimeoutError'])(
    "%s gives 503 after the SDK's three attempts",
    async (name) => {
      for (const send of [() => putItem(putNewEntry(key)), change, () => readItems([key])]) {
        sdk.requests.length = 0;
        expect(await outcomeOf(send, ...times(3, named(name)))).toEqual(['unavailable', 3]);
      }
    },
  );

  test('a transaction sends all its entries', async () => {
    expect(await outcomeOf(change)).toEqual([{ kind: 'committed' }, 1]);
    const [{ Update } = { Update: undefined }] = sdk.requests[0]?.input.TransactItems ?? [];
    expect(unmarshall(Update?.Key)).toEqual(key);
    expect(sdk.requests[0]?.input.TransactItems).toHaveLength(1);
  });

  test('503 says that the database did not respond, and has the cause for the log', async () => {
    const cause = named('InternalServerError');
    const failure = await outcomeOf(() => readItems([key]).catch((error) => error.options), ...times(3, cause));
    expect(failure).toEqual([{ detail: 'The database did not respond. Try again.', cause }, 3]);
  });

  test("a transaction in progress is retried with its token, at most six times, each with the SDK's three attempts", async () => {
    expect(await outcomeOf(change, ...times(17, inProgress))).toEqual([{ kind: 'committed' }, 18]);
    expect(new Set(sdk.requests.map(({ input }) => input.ClientRequestToken)).size).toBe(1);
    sdk.requests.length = 0;
    expect(await outcomeOf(change, ...times(18, inProgress))).toEqual(['unavailable', 18]);
  });

  test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'a transaction cancelled by %s has conflicted with another one',
    async (code) => {
      expect(await outcomeOf(change, cancelledBy('None', code))).toEqual([{ kind: 'conflict' }, 1]);
    },
  );

  test('a transaction cancelled by a condition returns the found item, whatever else cancelled it', async () => {
    const CancellationReasons = [
      { Code: 'TransactionConflict' },
      { Code: 'ConditionalCheckFailed', Item: marshall({ version: 2 }) },
      { Code: 'ConditionalCheckFailed' },
    ];
    const failed = new Map<number, object>([
      [1, { version: 2 }],
      [2, {}],
    ]);
    const cancelled = new TransactionCanceledException({ ...options, CancellationReasons });
    expect((await outcomeOf(change, cancelled))[0]).toEqual({ kind: 'refused', failed });
  });

  test('a transaction cancelled for another reason or for none is a defect', async () => {
    for (const error of [cancelledBy('ItemCollectionSizeLimitExceeded'), new TransactionCanceledException(options)]) {
      expect((await outcomeOf(change, error))[0]).toBe('TransactionCanceledException');
    }
  });

  const unprocessed = (...Keys: object[]) => ({
    Responses: { [table]: [{ ...key, version: 1 }] },
    UnprocessedKeys: { [table]: { Keys } },
  });
  const keysOf = ({ input }: SdkRequest) =>
    input.RequestItems[table].Keys.map((each: Parameters<typeof unmarshall>[0]) => unmarshall(each).pk);

  test('unprocessed keys are requested again', async () => {
    const rest = { Responses: { [table]: [{ ...other, version: 2 }] } };
    const [found] = await outcomeOf(() => readItems([key, other]), unprocessed(other), rest);
    expect(found).toEqual([
      { ...key, version: 1 },
      { ...other, version: 2 },
    ]);
    expect(sdk.requests.map(keysOf)).toEqual([['KEY#1', 'KEY#2'], ['KEY#2']]);
  });

  test('items that decide together are read in one request', async () => {
    const all = { Responses: { [table]: [{ ...other, version: 2 }] } };
    const [found] = await outcomeOf(() => readTogether([key, other]), unprocessed(other), all);
    expect(found).toEqual([undefined, { ...other, version: 2 }]);
    expect(sdk.requests.map(keysOf)).toEqual([
      ['KEY#1', 'KEY#2'],
      ['KEY#1', 'KEY#2'],
    ]);
  });

  test('more than a hundred of them are read in requests of a hundred, all of which are repeated together', async () => {
    const keys = Array.from({ length: 150 }, (_, n) => ({ pk: `KEY#${n}`, sk: 'ITEM' }));
    const none = { Responses: { [table]: [] } };
    const last = { Responses: { [table]: [{ ...keys[149], version: 2 }] } };
    const [found] = await outcomeOf(() => readTogether(keys), none, unprocessed(other), none, last);
    expect((found as unknown[]).at(-1)).toEqual({ ...keys[149], version: 2 });
    expect(sdk.requests.map((request) => keysOf(request).length)).toEqual([100, 50, 100, 50]);
  });

  test('a batch that stays incomplete gives 503 after four requests', async () => {
    const left = Array.from({ length: 4 }, () => unprocessed(other));
    expect(await outcomeOf(() => readItems([key, other]), ...left)).toEqual(['unavailable', 4]);
  });

  test.each([
    ['without an error object', 'refused', 'defect'],
    ['of an invalid request', named('ValidationException'), 'defect'],
    ['of a response that was cut off', named('Unknown'), 'unavailable'],
    ['of a request that was aborted', named('AbortError'), 'aborted'],
  ])('a failure %s is classified', (_, error, kind) => {
    expect(failureOf(error)).toEqual({ kind });
  });

  test('each request of the SDK counts, and so does the capacity of all tables of a response', async () => {
    const used = { ConsumedCapacity: [{ CapacityUnits: 2 }, { CapacityUnits: 0.5 }, {}] };
    const usage = trackUsage(() => {
      const counted = currentUsage();
      return outcomeOf(change, named('ThrottlingException'), used).then(() => counted);
    });
    expect(await usage).toEqual({ dynamoDbRequests: 2, consumedCapacity: 2.5 });
    expect(sdk.requests[0]?.input.ReturnConsumedCapacity).toBe('TOTAL');
    const single = trackUsage(() => {
      const counted = currentUsage();
      const read = () => readItems([key]);
      return outcomeOf(read, { ConsumedCapacity: { CapacityUnits: 1 } }).then(() => counted);
    });
    expect(await single).toEqual({ dynamoDbRequests: 1, consumedCapacity: 1 });
  });
});
