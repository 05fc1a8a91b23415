import { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { runUntil } from '#shared/core/clock.ts';
import { putItem, queryItems, readItems, transact, updateItem } from '#shared/table/client.ts';
import { dynamoDb } from '#shared/table/dynamodb.ts';
import { putNewEntry, updateEntry, updateOf } from '#shared/table/expression.ts';
import { scanItems } from '#shared/table/scan-items.ts';
import { type Fault, readFormatFirst, type SdkRequest, type WatchedSdk, watchSdk } from '../../support/watch-sdk.ts';

const [table = ''] = [process.env.TABLE_NAME];
const keysOf = ({ input }: SdkRequest): { pk: string; sk: string }[] =>
  input.RequestItems[table].Keys.map((key: Parameters<typeof unmarshall>[0]) => unmarshall(key));

/** Answers like DynamoDB: in a different order, and without nonexistent items. */
const answerExisting: Fault = async (request) => {
  const { length } = keysOf(request);
  if (length > 100) throw new Error('Too many items requested for the BatchGetItem call');
  const existing = keysOf(request).filter(({ pk }) => !pk.endsWith('7'));
  return {
    response: { statusCode: 200 },
    output: { $metadata: {}, Responses: { [table]: existing.toReversed() } },
  };
};

test('a request is signed with the same result as by the SDK’s own signer', async () => {
  jest.useFakeTimers({ now: new Date('2026-11-20T19:00:00.000Z'), doNotFake: ['nextTick', 'setImmediate'] });
  const { AWS_REGION } = process.env;
  process.env.AWS_REGION = 'eu-west-1';
  jest.resetModules();
  const fresh = { ...(await import('#shared/table/client.ts')), ...(await import('#shared/table/dynamodb.ts')) };
  const authorizations: unknown[] = [];
  const signAgain = () => async (args: { request: HttpRequest }) => {
    const { authorization, ...headers } = args.request.headers;
    const sdks = await new DynamoDBClient().config.signer();
    const again = await sdks.sign({ ...args.request, headers } as HttpRequest, { signingDate: new Date() });
    authorizations.push([authorization, again.headers.authorization]);
    throw new Error('not sent');
  };
  fresh.dynamoDb.middlewareStack.add(signAgain as never, { step: 'deserialize', priority: 'low', name: 'signAgain' });
  for (const pk of ['a', 'b']) await expect(fresh.readItems([{ pk, sk: 'c' }])).rejects.toThrow('not sent');
  process.env.AWS_REGION = AWS_REGION;
  jest.useRealTimers();
  expect(authorizations).toHaveLength(2);
  for (const [ours, sdks] of authorizations as [string, string][]) {
    expect(ours).toMatch(/ Credential=local\/20261120\/eu-west-1\/dynamodb\/aws4_request, /);
    expect(ours).toBe(sdks);
  }
});

describe('a batch of reads', () => {
  let sdk: WatchedSdk;
  beforeAll(async () => {
    sdk = watchSdk(dynamoDb);
    await readFormatFirst(sdk, { readItems });
  });
  beforeEach(() => {
    sdk.requests.length = 0;
    sdk.fault = answerExisting;
  });
  afterAll(() => {
    sdk.fault = undefined;
  });

  test.each([
    [0, 0],
    [1, 1],
    [100, 1],
    [101, 2],
    [250, 3],
  ])('reads %d items in the order of their keys, with %d requests of at most 100 keys', async (count, requests) => {
    const keys = Array.from({ length: count }, (_, n) => ({ pk: `KEY#${n}`, sk: 'ITEM' }));
    const expected = keys.map((key) => (key.pk.endsWith('7') ? undefined : key));
    expect(await readItems(keys)).toEqual(expected);
    expect(sdk.requests.length).toBe(requests);
  });

  test('reads an item only by its primary key, whatever other attributes the key object has', async () => {
    const item = { pk: 'KEY#1', sk: 'ITEM', userId: 'ada' };
    await readItems([item]);
    expect(sdk.requests.flatMap(keysOf)).toEqual([{ pk: 'KEY#1', sk: 'ITEM' }]);
  });

  test('reads at the same time each send their own keys', async () => {
    const read = (pk: string) => readItems([{ pk, sk: 'ITEM' }]);
    const [first, second] = await Promise.all([read('KEY#1'), read('KEY#2')]);
    expect([first, second].map(([item]) => item?.pk)).toEqual(['KEY#1', 'KEY#2']);
    expect(sdk.requests.map((request) => keysOf(request)[0]?.pk)).toEqual(['KEY#1', 'KEY#2']);
  });

  test('every read of items is strongly consistent', async () => {
    await readItems([{ pk: 'KEY#1', sk: 'ITEM' }]);
    expect(sdk.requests.map(({ input }) => input.RequestItems[table].ConsistentRead)).toEqual([true]);
  });
});

const key = { pk: 'KEY#1', sk: 'ITEM' };

describe('a request to the service', () => {
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  test('aborts what it is still waiting for once it has been answered', async () => {
    const isSent = new Promise<void>((resolve) => {
      jest
        .spyOn(dynamoDb.config.requestHandler, 'handle')
        .mockImplementation((_, { abortSignal }: { abortSignal?: AbortSignal } = {}) => {
          resolve();
          const aborted = Object.assign(new Error('aborted'), { name: 'AbortError' });
          return new Promise((_, reject) => abortSignal?.addEventListener('abort', () => reject(aborted)));
        });
    });
    let read: Promise<unknown> | undefined;
    await runUntil(Date.now() + 60_000, async () => {
      read = readItems([key]).catch((error: unknown) => error);
      await isSent;
    });
    await expect(read).resolves.toMatchObject({
      code: 'unavailable',
      options: { detail: 'The database is responding slowly. Try again.', cause: { name: 'AbortError' } },
    });
  });

  test('sends no retry of the SDK past its deadline', async () => {
    const endsAt = Date.now() + 60_000;
    const { requestHandler } = dynamoDb.config;
    const sent = jest.spyOn(requestHandler, 'handle').mockImplementation(async () => {
      // As after a freeze: the clock has advanced, but no timer has fired.
      jest.useFakeTimers({
        doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout', 'queueMicrotask'],
        now: endsAt,
      });
      return { response: new HttpResponse({ statusCode: 500, body: Readable.from([]) }) };
    });
    const read = runUntil(endsAt, () => readItems([key]));
    await expect(read).rejects.toMatchObject({ code: 'unavailable' });
    expect(sent).toHaveBeenCalledTimes(1);
  });
});

test('an item is written without undefined attributes, and its maps can have any key, such as the name of a role', async () => {
  const sdk = watchSdk(dynamoDb);
  sdk.fault = async () => ({ response: { statusCode: 200 }, output: { $metadata: {} } });
  sdk.requests.length = 0;
  await putItem(putNewEntry({ ...key, status: undefined, roles: { constructor: 'granted' } }));
  expect(sdk.requests[0]?.input.Item).toEqual({
    pk: { S: 'KEY#1' },
    sk: { S: 'ITEM' },
    roles: { M: { constructor: { S: 'granted' } } },
  });
  sdk.fault = undefined;
});

describe('an unreadable response', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each([
    ['a read of items', () => readItems([key])],
    ['a query', () => queryItems({ pk: 'any' }, {})],
    ['a scan', () => scanItems(['pk'], undefined)],
  ])('that is empty does not mean that nothing exists: %s gives 503', async (_, read) => {
    jest.spyOn(dynamoDb.config.requestHandler, 'handle').mockImplementation(async () => {
      const headers = { 'content-type': 'application/x-amz-json-1.0' };
      return { response: new HttpResponse({ statusCode: 200, headers, body: Readable.from([Buffer.from('')]) }) };
    });
    await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
  });

  test.each([
    ['a read', () => readItems([key])],
    ['a write of one item', () => putItem(putNewEntry(key))],
    ['an update', () => updateItem(updateOf({ key, set: { seen: 'today' } }))],
    ['a transaction', () => transact([updateEntry({ key, set: { seen: 'today' } })])],
  ])('gives 503 instead of 500, because %s may have taken effect', async (_, send) => {
    for (const body of ['{"Responses":{"auth', '<html>502 Bad Gateway</html>', '']) {
      const { requestHandler } = dynamoDb.config;
      jest.spyOn(requestHandler, 'handle').mockImplementation(async () => {
        const headers = { 'content-type': 'application/x-amz-json-1.0' };
        return { response: new HttpResponse({ statusCode: 200, headers, body: Readable.from([Buffer.from(body)]) }) };
      });
      const outcome = await Promise.resolve(send()).then(
        () => 'answered',
        (error) => error.code,
      );
      expect([body, outcome]).toEqual([body, body === '' ? expect.any(String) : 'unavailable']);
    }
  });
});
