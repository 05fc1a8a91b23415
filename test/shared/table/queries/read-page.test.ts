import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Item } from '#shared/table/client.ts';
import { readItems } from '#shared/table/client.ts';
import { dynamoDb } from '#shared/table/dynamodb.ts';
import type { Range } from '#shared/table/key.ts';
import { decodeCursor, encodeCursor } from '#shared/table/queries/cursor.ts';
import { cursorAfter, type PageRequest, readNamedPage, readPage } from '#shared/table/queries/read-page.ts';
import { readFormatFirst, type WatchedSdk, watchSdk } from '../../../support/watch-sdk.ts';

const range: Range = { pk: 'LIST', prefix: 'ITEM#' };
const indexed: Range = { index: 'gsi1', pk: 'LISTS' };
const itemOf = (n: number) => ({ pk: 'LIST', sk: `ITEM#${n}`, gsi1pk: 'LISTS', gsi1sk: `place-${n}`, n });
const invalidCursor = (name = 'cursor') =>
  expect.objectContaining({
    options: expect.objectContaining({
      field: expect.objectContaining({ name, detail: 'is not a cursor of this list; start again without a cursor' }),
    }),
  });

describe('a page of a list', () => {
  let sdk: WatchedSdk;
  let items: ReturnType<typeof itemOf>[] = [];
  /** The maximum number of items that DynamoDB reads in one query. */
  let most = 100;

  beforeAll(() => {
    sdk = watchSdk(dynamoDb);
    sdk.fault = async ({ input: { Limit = 100, ExclusiveStartKey, IndexName } }) => {
      const key = ExclusiveStartKey && unmarshall(ExclusiveStartKey);
      const from = key === undefined ? 0 : items.findIndex(({ sk }) => sk === key.sk) + 1;
      const read = items.slice(from, from + Math.min(Limit, most));
      const last = items.length > from + read.length ? read.at(-1) : undefined;
      const place = last && {
        pk: last.pk,
        sk: last.sk,
        ...(IndexName && { gsi1pk: last.gsi1pk, gsi1sk: last.gsi1sk }),
      };
      const output = { Items: read, ...(place && { LastEvaluatedKey: place }) };
      return { response: { statusCode: 200 }, output: { $metadata: {}, ...output } };
    };
  });
  beforeEach(() => {
    sdk.requests.length = 0;
    items = Array.from({ length: 5 }, (_, n) => itemOf(n));
    most = 100;
  });
  afterAll(() => {
    sdk.fault = undefined;
  });

  const read = async (request: PageRequest, of = range, isVisible?: (item: Item) => boolean) => {
    const page = await readPage(of, request, isVisible);
    return { ...page, items: page.items.map(({ n }) => n) };
  };

  test.each([
    ['the table', range],
    ['the index', indexed],
  ])('pages of %s have no gaps, and the last one is marked', async (_, of) => {
    const first = await read({ limit: 2 }, of);
    expect(first).toMatchObject({ items: [0, 1], more: true });
    const second = await read({ limit: 2, cursor: first.position }, of);
    expect(second).toMatchObject({ items: [2, 3], more: true });
    const last = await read({ limit: 2, cursor: second.position }, of);
    expect(last).toMatchObject({ items: [4], more: false });
    expect(sdk.requests.map(({ input }) => input.Limit)).toEqual([3, 3, 3]);
    expect(last.position).toBe(cursorAfter(of, undefined, itemOf(4)));
  });

  test('a page that ends with the list is the last', async () => {
    expect(await read({ limit: 5 })).toMatchObject({ items: [0, 1, 2, 3, 4], more: false });
    expect(await read({ limit: 4 })).toMatchObject({ items: [0, 1, 2, 3], more: true });
  });

  test('an empty list has no position', async () => {
    items = [];
    expect(await read({ limit: 2 })).toEqual({ items: [], position: undefined, more: false });
  });

  test('invisible items are omitted, and a page is filled by further queries', async () => {
    most = 2;
    const odd = ({ n }: Item) => Number(n) % 2 === 1;
    const page = await read({ limit: 2 }, range, odd);
    expect(page).toMatchObject({ items: [1, 3], more: false });
    expect(sdk.requests.length).toBe(3);
    expect(page.position).toBe(cursorAfter(range, undefined, itemOf(3)));
  });

  test('a page takes a limited number of queries, and the next one continues where they ended', async () => {
    most = 1;
    const none = () => false;
    const page = await read({ limit: 2, queries: 3 }, range, none);
    expect([page.items, page.more, sdk.requests.length]).toEqual([[], true, 3]);
    expect(page.position).toBe(cursorAfter(range, undefined, itemOf(2)));
    expect(await read({ limit: 2, cursor: page.position })).toMatchObject({ items: [3, 4], more: false });
    items = Array.from({ length: 12 }, (_, n) => itemOf(n));
    sdk.requests.length = 0;
    expect(await read({ limit: 2 }, range, none)).toMatchObject({ items: [], more: true });
    expect(sdk.requests.length).toBe(10);
  });

  test('if DynamoDB filters items itself, it reads as many as it can', async () => {
    await read({ limit: 2 }, { ...range, where: { attribute: 'status', value: 'inactive' } });
    await read({ limit: 2 }, { ...range, containing: { attribute: 'words', texts: [' ada'] } });
    expect(sdk.requests.map(({ input }) => input.Limit)).toEqual([2500, 2500]);
  });

  test.each([
    ['of another range', cursorAfter({ ...range, pk: 'OTHER' }, undefined, itemOf(0))],
    ['of the other direction', cursorAfter({ ...range, descending: true }, undefined, itemOf(0))],
    ['of another filter', cursorAfter(range, 'disabled', itemOf(0))],
    ['of a position outside the list', cursorAfter(range, undefined, { pk: 'LIST', sk: 'OTHER#1' })],
    ['of a position without a key', cursorAfter(range, undefined, { pk: 'LIST', sk: '' })],
    ['of the index', cursorAfter(indexed, undefined, itemOf(0))],
    ['that is damaged', `${cursorAfter(range, undefined, itemOf(0))}A`],
    ['that is not a cursor', 'none'],
  ])('a cursor %s is refused by the name of its parameter', async (_, cursor) => {
    await expect(read({ limit: 2, cursor })).rejects.toEqual(invalidCursor());
    await expect(read({ limit: 2, cursor, cursorName: 'after' })).rejects.toEqual(invalidCursor('after'));
    expect(sdk.requests).toEqual([]);
  });
});

describe('a page of items known by name', () => {
  let sdk: WatchedSdk;
  const [table = '', missing] = [process.env.TABLE_NAME, 'b'];
  beforeAll(async () => {
    sdk = watchSdk(dynamoDb);
    await readFormatFirst(sdk, { readItems });
    sdk.fault = async ({ input: { RequestItems } }) => {
      const keys = RequestItems[table].Keys.map((key: Parameters<typeof unmarshall>[0]) => unmarshall(key));
      const Responses = { [table]: keys.filter(({ sk }: Item) => sk !== missing) };
      return { response: { statusCode: 200 }, output: { $metadata: {}, Responses } };
    };
  });
  afterAll(() => {
    sdk.fault = undefined;
  });

  const named = { names: ['a', 'b', 'c', 'd'], keyOf: (name: string) => ({ pk: 'NAMED', sk: name }) };
  const read = async (request: PageRequest) => {
    const { items, cursor } = await readNamedPage(named, request);
    return { names: items.map(({ sk }) => sk), cursor };
  };

  test('missing ones are omitted, and the next page begins after the last name', async () => {
    const first = await read({ limit: 2 });
    expect(first).toEqual({ names: ['a'], cursor: expect.any(String) });
    expect(await read({ limit: 2, cursor: String(first.cursor) })).toEqual({ names: ['c', 'd'], cursor: null });
    expect(await read({ limit: 4 })).toEqual({ names: ['a', 'c', 'd'], cursor: null });
  });

  test('a cursor of another list of the same items is refused', async () => {
    const { cursor } = await read({ limit: 2, list: 'one' });
    await expect(read({ limit: 2, list: 'other', cursor: String(cursor) })).rejects.toEqual(invalidCursor());
    await expect(read({ limit: 2, cursor: encodeCursor(['names', null], [7]) })).rejects.toEqual(invalidCursor());
  });
});

describe('a cursor', () => {
  const schema = v.strictTuple([v.string()]);

  test('contains its position only for the list that it is bound to', () => {
    const cursor = encodeCursor(['one', 1], ['here']);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(decodeCursor(['one', 1], { cursor, schema })).toEqual(['here']);
    for (const bound of [['one'], ['one', 2], []]) {
      expect(() => decodeCursor(bound, { cursor, schema })).toThrow(invalidCursor());
    }
  });

  test('is at most 4,096 characters long', () => {
    const ofLength = (length: number) => encodeCursor([], ['x'.repeat((length / 4) * 3 - 12 - 4)]);
    const [longest, tooLong] = [ofLength(4096), ofLength(4100)];
    expect([longest.length, tooLong.length]).toEqual([4096, 4100]);
    expect(decodeCursor([], { cursor: longest, schema })).toHaveLength(1);
    expect(() => decodeCursor([], { cursor: tooLong, schema })).toThrow(invalidCursor());
  });

  test('is refused in any other form of the same bytes', () => {
    const cursor = encodeCursor([], ['here']);
    for (const other of [`${cursor}=`, ` ${cursor}`, Buffer.from(cursor, 'base64url').toString('base64')]) {
      if (other !== cursor) expect(() => decodeCursor([], { cursor: other, schema })).toThrow(invalidCursor());
    }
  });
});
