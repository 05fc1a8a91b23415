import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runUntil } from '#shared/core/clock.ts';
import { putItem, queryItems, readItems } from '#shared/table/client.ts';
import { dynamoDb } from '#shared/table/dynamodb.ts';
import { putNewEntry } from '#shared/table/expression.ts';
import type { Range } from '#shared/table/key.ts';
import { type WatchedSdk, watchSdk } from '../../support/watch-sdk.ts';

const TableName = process.env.TABLE_NAME;
const key = { pk: 'KEY#1', sk: 'ITEM' };

describe('the requests to DynamoDB', () => {
  let sdk: WatchedSdk;
  let output: object = {};

  beforeAll(() => {
    sdk = watchSdk(dynamoDb);
    sdk.fault = async () => ({ response: { statusCode: 200 }, output: { $metadata: {}, Items: [], ...output } });
  });
  beforeEach(() => {
    sdk.requests.length = 0;
    output = {};
  });
  afterAll(() => {
    sdk.fault = undefined;
  });

  /** Returns the input of the only query, without the common parameters. */
  const inputOf = async (range: Range, options: Parameters<typeof queryItems>[1] = {}) => {
    sdk.requests.length = 0;
    await queryItems(range, options);
    const [{ input } = { input: {} }, ...more] = sdk.requests;
    expect(more).toEqual([]);
    const { ExpressionAttributeValues, ExclusiveStartKey, ReturnConsumedCapacity: _, ...rest } = input;
    const start = ExclusiveStartKey && { ExclusiveStartKey: unmarshall(ExclusiveStartKey) };
    return { ...rest, ...start, ExpressionAttributeValues: unmarshall(ExpressionAttributeValues) };
  };
  const ofTable = { TableName, ConsistentRead: true, ScanIndexForward: true, Limit: 2500 };

  test('a partition of the table is read with strong consistency, in the order of its sort keys', async () => {
    expect(await inputOf({ pk: 'P' })).toEqual({
      ...ofTable,
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': 'pk' },
      ExpressionAttributeValues: { ':pk': 'P' },
    });
  });

  test('a range of the index is read in descending order, from a key, with a limit', async () => {
    const after = { ...key, gsi1pk: 'P', gsi1sk: 'b' };
    expect(await inputOf({ index: 'gsi1', pk: 'P', above: 'a', descending: true }, { limit: 7, after })).toEqual({
      TableName,
      IndexName: 'gsi1',
      ConsistentRead: false,
      ScanIndexForward: false,
      Limit: 7,
      KeyConditionExpression: '#pk = :pk AND #sk > :above',
      ExpressionAttributeNames: { '#pk': 'gsi1pk', '#sk': 'gsi1sk' },
      ExpressionAttributeValues: { ':pk': 'P', ':above': 'a' },
      ExclusiveStartKey: after,
    });
  });

  test('a prefix selects all keys that begin with it', async () => {
    expect(await inputOf({ pk: 'P', prefix: 'ROLE#' })).toEqual({
      ...ofTable,
      KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :first AND :last',
      ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
      ExpressionAttributeValues: { ':pk': 'P', ':first': 'ROLE#', ':last': 'ROLE#\u{10FFFF}' },
    });
  });

  test.each([
    [{ attribute: 'status', value: 'inactive' }, '#where = :where'],
    [{ attribute: 'status', value: 'inactive', not: true }, '#where <> :where'],
    [{ attribute: 'status', value: 'inactive', not: false }, '#where = :where'],
  ])('a filter on a value selects items that %j', async (where, FilterExpression) => {
    expect(await inputOf({ pk: 'P', where })).toEqual({
      ...ofTable,
      KeyConditionExpression: '#pk = :pk',
      FilterExpression,
      ExpressionAttributeNames: { '#pk': 'pk', '#where': 'status' },
      ExpressionAttributeValues: { ':pk': 'P', ':where': 'inactive' },
    });
  });

  test('a range has both its ends', async () => {
    expect(await inputOf({ pk: 'P', between: { first: 'a', last: 'b' } })).toEqual({
      ...ofTable,
      KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :first AND :last',
      ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
      ExpressionAttributeValues: { ':pk': 'P', ':first': 'a', ':last': 'b' },
    });
  });

  test('a filter on several values selects items with any of them', async () => {
    expect(await inputOf({ pk: 'P', among: { attribute: 'action', values: ['a', 'b'] } })).toEqual({
      ...ofTable,
      KeyConditionExpression: '#pk = :pk',
      FilterExpression: '#among IN (:among0, :among1)',
      ExpressionAttributeNames: { '#pk': 'pk', '#among': 'action' },
      ExpressionAttributeValues: { ':pk': 'P', ':among0': 'a', ':among1': 'b' },
    });
  });

  test('a filter on texts selects items with each of them', async () => {
    const containing = { attribute: 'words', texts: [' ada', ' king'] };
    expect(await inputOf({ pk: 'P', where: { attribute: 'status', value: 'active' }, containing })).toEqual({
      ...ofTable,
      KeyConditionExpression: '#pk = :pk',
      FilterExpression: '#where = :where AND contains(#text, :text0) AND contains(#text, :text1)',
      ExpressionAttributeNames: { '#pk': 'pk', '#where': 'status', '#text': 'words' },
      ExpressionAttributeValues: { ':pk': 'P', ':where': 'active', ':text0': ' ada', ':text1': ' king' },
    });
    expect(await inputOf({ pk: 'P', containing: { attribute: 'words', texts: [] } })).toEqual({
      ...ofTable,
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': 'pk' },
      ExpressionAttributeValues: { ':pk': 'P' },
    });
  });

  test('a page has its items and the key where the next one continues', async () => {
    expect(await queryItems({ pk: 'P' }, {})).toEqual({ items: [], next: undefined });
    output = { Items: [{ ...key, n: 1 }], LastEvaluatedKey: key };
    expect(await queryItems({ pk: 'P' }, { limit: 1 })).toEqual({ items: [{ ...key, n: 1 }], next: key });
  });

  test('an undefined attribute is not stored, and a map can have any names', async () => {
    class Named {
      readonly one = 1;
    }
    const roles = JSON.parse('{ "constructor": { "grantedAt": "now" } }');
    await putItem(putNewEntry({ ...key, absent: undefined, roles, named: new Named() }));
    expect(sdk.requests.map(({ input }) => unmarshall(input.Item))).toEqual([{ ...key, roles, named: { one: 1 } }]);
  });

  test('nothing is sent after the deadline of the request', async () => {
    const late = runUntil(Date.now() - 1, () => readItems([key]));
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    expect(sdk.requests).toEqual([]);
  });
});
