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
import { dynamoDb } from '#shared/table/dynamodb.ts';
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

describe('what DynamoDB does not do at once', () => {
  let sdk: WatchedSdk;
  /** What the requests are answered, one after the other; then they are done. */
  let answers: (Error | object)[] = [];

  beforeAll(async () => {
    sdk = watchSdk(dynamoDb);
    sdk.fault = async () => ({ response: { statusCode: 200 }, output: { $metadata: {} } });
    // The SDK's first request waits for files, and not by a timer.
    await readItems([key]);
  });
  beforeEach(() => {
    jest.useFakeTimers();
    sdk.requests.length = 0;
    sdk.fault = async () => {
      const next = answers.shift() ?? {};
      if (next instanceof Error) throw next;
      return { response: { statusCode: 200 }, output: { $metadata: {}, ...next } };
    };
  });
  afterEach(() => {
    jest.useRealTimers();
    sdk.fault = undefined;
    answers = [];
  });

  /** The outcome, and how many requests it took. */
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
  ])('%s is sent again while a transaction holds its item, five times at most', async (_, send) => {
    expect(await outcomeOf(send, ...times(4, conflict))).toEqual([undefined, 5]);
    sdk.requests.length = 0;
    expect(await outcomeOf(send, ...times(5, conflict))).toEqual(['unavailable', 5]);
  });

  test('what a put finds in its place is answered, and not sent again', async () => {
    const found = new ConditionalCheckFailedException({ ...options, Item: marshall({ ...key, version: 3 }) });
    expect(await outcomeOf(() => putItem(putNewEntry(key)), found)).toEqual([{ ...key, version: 3 }, 1]);
    const nothing = new ConditionalCheckFailedException(options);
    expect((await outcomeOf(() => putItem(putNewEntry(key)), nothing))[0]).toEqual({});
  });

  test('what DynamoDB can never do is a defect, not 503', async () => {
    for (const send of [() => putItem(putNewEntry(key)), change, () => readItems([key])]) {
      sdk.requests.length = 0;
      expect(await outcomeOf(send, named('ValidationException'))).toEqual(['ValidationException', 1]);
    }
  });

  test.each(['ThrottlingException', 'ProvisionedThroughputExceededException', 'InternalServerError', 'TimeoutError'])(
    '%s is 503 after the three attempts of the SDK',
    async (name) => {
      for (const send of [() => putItem(putNewEntry(key)), change, () => readItems([key])]) {
        sdk.requests.length = 0;
        expect(await outcomeOf(send, ...times(3, named(name)))).toEqual(['unavailable', 3]);
      }
    },
  );

  test('a transaction in progress is asked for by its token, six times at most, by three attempts of the SDK', async () => {
    expect(await outcomeOf(change, ...times(17, inProgress))).toEqual([{ kind: 'committed' }, 18]);
    expect(new Set(sdk.requests.map(({ input }) => input.ClientRequestToken)).size).toBe(1);
    sdk.requests.length = 0;
    expect(await outcomeOf(change, ...times(18, inProgress))).toEqual(['unavailable', 18]);
  });

  test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'a transaction that is cancelled by %s has met another one',
    async (code) => {
      expect(await outcomeOf(change, cancelledBy('None', code))).toEqual([{ kind: 'conflict' }, 1]);
    },
  );

  test('a transaction that is cancelled by a condition names what was found, whatever else cancelled it', async () => {
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

  test('a transaction that is cancelled by anything else, or for no reason, is a defect', async () => {
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

  test('keys that were left out are asked for by themselves', async () => {
    const rest = { Responses: { [table]: [{ ...other, version: 2 }] } };
    const [found] = await outcomeOf(() => readItems([key, other]), unprocessed(other), rest);
    expect(found).toEqual([
      { ...key, version: 1 },
      { ...other, version: 2 },
    ]);
    expect(sdk.requests.map(keysOf)).toEqual([['KEY#1', 'KEY#2'], ['KEY#2']]);
  });

  test('what is decided by together is of one request', async () => {
    const all = { Responses: { [table]: [{ ...other, version: 2 }] } };
    const [found] = await outcomeOf(() => readTogether([key, other]), unprocessed(other), all);
    expect(found).toEqual([undefined, { ...other, version: 2 }]);
    expect(sdk.requests.map(keysOf)).toEqual([
      ['KEY#1', 'KEY#2'],
      ['KEY#1', 'KEY#2'],
    ]);
  });

  test('a batch that is never whole is 503 after four requests', async () => {
    const left = Array.from({ length: 4 }, () => unprocessed(other));
    expect(await outcomeOf(() => readItems([key, other]), ...left)).toEqual(['unavailable', 4]);
  });

  test('each request of the SDK counts, and the capacity of all tables of an answer', async () => {
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
