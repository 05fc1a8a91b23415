import { Readable } from 'node:stream';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { HttpResponse } from '@smithy/core/protocols';
import { dynamoDb, putItem, readItems, transact, updateItem } from '#shared/table/client.ts';
import { putNewEntry, updateEntry, updateOf } from '#shared/table/expression.ts';
import { type Fault, type SdkRequest, type WatchedSdk, watchSdk } from '../../support/watch-sdk.ts';

const [table = ''] = [process.env.TABLE_NAME];
const keysOf = ({ input }: SdkRequest): { pk: string; sk: string }[] =>
  input.RequestItems[table].Keys.map((key: Parameters<typeof unmarshall>[0]) => unmarshall(key));

/** Answers as DynamoDB does: in an order of its own, and without the items that do not exist. */
const answerExisting: Fault = async (request) => {
  const { length } = keysOf(request);
  if (length > 100) throw new Error('Too many items requested for the BatchGetItem call');
  const existing = keysOf(request).filter(({ pk }) => !pk.endsWith('7'));
  return {
    response: { statusCode: 200 },
    output: { $metadata: {}, Responses: { [table]: existing.toReversed() } },
  };
};

describe('a batch of reads', () => {
  let sdk: WatchedSdk;
  beforeAll(() => {
    sdk = watchSdk(dynamoDb);
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
  ])('reads %d items in the order of their keys, with %d requests of 100 keys at most', async (count, requests) => {
    const keys = Array.from({ length: count }, (_, n) => ({ pk: `KEY#${n}`, sk: 'ITEM' }));
    const expected = keys.map((key) => (key.pk.endsWith('7') ? undefined : key));
    expect(await readItems(keys)).toEqual(expected);
    expect(sdk.requests.length).toBe(requests);
  });

  test('reads an item by its primary key alone, whatever other attributes the key object has', async () => {
    const item = { pk: 'KEY#1', sk: 'ITEM', userId: 'ada' };
    await readItems([item]);
    expect(sdk.requests.flatMap(keysOf)).toEqual([{ pk: 'KEY#1', sk: 'ITEM' }]);
  });

  test('every read of items is strongly consistent', async () => {
    await readItems([{ pk: 'KEY#1', sk: 'ITEM' }]);
    expect(sdk.requests.map(({ input }) => input.RequestItems[table].ConsistentRead)).toEqual([true]);
  });
});

describe('an answer that cannot be read', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const key = { pk: 'KEY#1', sk: 'ITEM' };

  test.each([
    ['a read', () => readItems([key])],
    ['a write of one item', () => putItem(putNewEntry(key))],
    ['an update', () => updateItem(updateOf({ key, set: { seen: 'today' } }))],
    ['a transaction', () => transact([updateEntry({ key, set: { seen: 'today' } })])],
  ])('is no defect of the service but 503, as %s may have taken effect', async (_, send) => {
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
