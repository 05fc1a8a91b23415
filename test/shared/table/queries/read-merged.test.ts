import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import type { Item } from '#shared/table/client.ts';
import { dynamoDb } from '#shared/table/dynamodb.ts';
import type { ChangeSpan, Range } from '#shared/table/key.ts';
import { encodeCursor } from '#shared/table/queries/cursor.ts';
import { decodeFeedCursor, encodeFeedCursor } from '#shared/table/queries/feed-cursor.ts';
import { decodeKeyCursor, encodeKeyCursor } from '#shared/table/queries/key-cursor.ts';
import { changeIdOf, type MergedPageRequest, readMerged, readMergedPage } from '#shared/table/queries/read-merged.ts';
import { decodeSnapshotCursor, encodeSnapshotCursor } from '#shared/table/queries/snapshot-cursor.ts';
import { type WatchedSdk, watchSdk } from '../../../support/watch-sdk.ts';

/** The ids of changes increase with the number. */
const idOf = (n: number) => `01KB3ZC4N7Z3QF4V6E5T8S9R${String(n).padStart(2, '0')}`;
const partitions = ['P0', 'P1'];
const rangesIn = ({ descending, above = '', below = '~' }: ChangeSpan): Range[] =>
  partitions.map((pk) => ({ pk, descending, between: { first: `${above}!`, last: below } }));
const ascending: ChangeSpan = { descending: false };
const descending: ChangeSpan = { descending: true };

describe('several ranges in one order', () => {
  let sdk: WatchedSdk;
  /** The partition of each change, by number. */
  let places: readonly string[] = [];

  beforeAll(() => {
    sdk = watchSdk(dynamoDb);
    sdk.fault = async ({ input }) => {
      const { ':pk': pk, ':first': first, ':last': last } = unmarshall(input.ExpressionAttributeValues);
      const all = places.map((of, n) => ({ pk: of, sk: `CHANGE#${idOf(n)}`, n })).filter((item) => item.pk === pk);
      const within = all.filter(({ n }) => idOf(n) > first && idOf(n) < last);
      const ordered = input.ScanIndexForward ? within : within.toReversed();
      const Items = ordered.slice(0, input.Limit);
      const end = ordered.length > Items.length ? Items.at(-1) : undefined;
      const next = end && { LastEvaluatedKey: { pk: end.pk, sk: end.sk } };
      return { response: { statusCode: 200 }, output: { $metadata: {}, Items, ...next } };
    };
  });
  beforeEach(() => {
    sdk.requests.length = 0;
    places = ['P0', 'P1', 'P1', 'P0', 'P1', 'P0', 'P0'];
  });
  afterAll(() => {
    sdk.fault = undefined;
  });

  const numbers = (items: readonly Item[]) => items.map(({ n }) => n);

  test.each([
    ['rising', ascending, 7, [0, 1, 2, 3, 4, 5, 6], undefined],
    ['falling', descending, 7, [6, 5, 4, 3, 2, 1, 0], undefined],
    // The second item of P1 is 2: after it, P1 may have one that precedes the second item of P0.
    ['ascending, as far as every range was read', ascending, 2, [0, 1, 2], idOf(2)],
    ['descending, as far as every range was read', descending, 2, [6, 5], idOf(5)],
    ['ascending, to the end of one range', ascending, 3, [0, 1, 2, 3, 4, 5], idOf(5)],
  ] as const)('items come in the order of their changes, %s', async (_, span, limit, expected, next) => {
    const read = await readMerged(rangesIn(span), limit);
    expect([numbers(read.items), read.next]).toEqual([expected, next]);
    expect(sdk.requests.map(({ input }) => input.Limit)).toEqual([limit, limit]);
  });

  test('the id of a change is the end of its position', () => {
    expect(changeIdOf({ sk: 'CHANGE#ERASED#1' })).toBe('1');
    expect(changeIdOf({ sk: 'CHANGE#1', gsi1sk: '2' })).toBe('2');
    expect(changeIdOf({ sk: '3' })).toBe('3');
  });

  const readPage = async (
    request: Partial<MergedPageRequest<unknown>> & { limit: number },
    isVisible: (item: Item) => boolean = () => true,
  ) => {
    const viewsOf = async (items: readonly Item[]) => items.map((item) => (isVisible(item) ? item.n : undefined));
    return readMergedPage({ bound: ['list'], span: ascending, rangesIn, viewsOf, isFiltered: false, ...request });
  };

  test.each([
    ['rising', ascending, [0, 1, 2], [3, 4, 5], [6]],
    ['falling', descending, [6, 5, 4], [3, 2, 1], [0]],
  ])('pages have no gaps, %s', async (_, span, ...expected) => {
    const pages: unknown[] = [];
    let page = await readPage({ limit: 3, span });
    for (; page.more; page = await readPage({ limit: 3, span, cursor: String(page.cursor) })) pages.push(page.items);
    expect([...pages, page.items].filter((items) => (items as unknown[]).length > 0)).toEqual(expected);
  });

  test.each<[string, ChangeSpan, number | undefined, number[]]>([
    ['all of it', { descending: false, above: idOf(1), below: idOf(5) }, undefined, [2, 3, 4]],
    ['what follows the cursor', { descending: false, above: idOf(1), below: idOf(5) }, 2, [3, 4]],
    ['only the range, from an earlier cursor', { descending: false, above: idOf(3) }, 1, [4, 5, 6]],
    ['all of it, descending', { descending: true, above: idOf(1), below: idOf(5) }, undefined, [4, 3, 2]],
    ['what follows the cursor, descending', { descending: true, above: idOf(1), below: idOf(5) }, 4, [3, 2]],
    ['only the range, descending from a later cursor', { descending: true, below: idOf(3) }, 6, [2, 1, 0]],
    ['nothing from above its only end', { descending: true, above: idOf(4) }, undefined, [6, 5]],
    ['nothing from below its only end', { descending: false, below: idOf(2) }, undefined, [0, 1]],
  ])('a page of a range shows %s', async (_, span, behind, expected) => {
    const cursor = behind === undefined ? undefined : encodeCursor(['list'], [idOf(behind)]);
    expect(await readPage({ limit: 7, span, cursor })).toMatchObject({ items: expected, more: false });
  });

  test.each<[string, ChangeSpan, number]>([
    ['rising', { descending: false, above: idOf(1), below: idOf(4) }, 4],
    ['ascending beyond it', { descending: false, below: idOf(4) }, 5],
    ['falling', { descending: true, above: idOf(2), below: idOf(4) }, 2],
    ['descending beyond it', { descending: true, above: idOf(2) }, 1],
  ])('a cursor beyond the whole range sends no request, %s', async (_, span, behind) => {
    const cursor = encodeCursor(['list'], [idOf(behind)]);
    expect(await readPage({ limit: 7, span, cursor })).toEqual({ items: [], cursor, more: false });
    expect(sdk.requests).toEqual([]);
  });

  test('a page reads only as many items as it may show', async () => {
    const looked: unknown[] = [];
    const viewsOf = async (items: readonly Item[]) => {
      looked.push(...numbers(items));
      return items.map(({ n }) => n);
    };
    await readMergedPage({ bound: ['list'], span: ascending, rangesIn, viewsOf, isFiltered: false, limit: 3 });
    expect(looked).toEqual([0, 1, 2]);
  });

  test('an unfiltered list reads one item more than requested from each range', async () => {
    const page = await readPage({ limit: 6 });
    expect(page).toMatchObject({ items: [0, 1, 2, 3, 4, 5], more: true });
    expect(sdk.requests.map(({ input }) => input.Limit)).toEqual([7, 7]);
    expect(page.cursor).toBe(encodeCursor(['list'], [idOf(5)]));
  });

  test('a filtered list reads a thousand items at a time, at most five times per page', async () => {
    places = Array.from({ length: 99 }, () => 'P0');
    const page = await readPage({ limit: 2, isFiltered: true }, ({ n }) => Number(n) % 40 === 39);
    expect(page).toMatchObject({ items: [39, 79], more: true });
    expect(page.cursor).toBe(encodeCursor(['list'], [idOf(79)]));
    expect(sdk.requests.map(({ input }) => input.Limit)).toEqual([1000, 1000]);
    sdk.requests.length = 0;
    const empty = await readPage({ limit: 1 }, () => false);
    expect(empty).toMatchObject({ items: [], more: true });
    // Two ranges; each round reads two items of P0.
    expect([sdk.requests.length, empty.cursor]).toEqual([10, encodeCursor(['list'], [idOf(9)])]);
  });

  test('the last page is marked as the last, and an empty list has no cursor', async () => {
    expect(await readPage({ limit: 7 })).toMatchObject({ items: [0, 1, 2, 3, 4, 5, 6], more: false });
    places = [];
    expect(await readPage({ limit: 7 })).toEqual({ items: [], cursor: undefined, more: false });
    const cursor = encodeCursor(['list'], [idOf(3)]);
    expect(await readPage({ limit: 7, cursor })).toEqual({ items: [], cursor, more: false });
  });

  test('a cursor that names no change is refused', async () => {
    for (const place of [['none'], [idOf(4), 'P1'], [`x${idOf(4)}`]]) {
      const cursor = encodeCursor(['list'], place);
      await expect(readPage({ limit: 7, cursor, cursorName: 'after' })).rejects.toMatchObject({
        options: { field: { name: 'after' } },
      });
    }
  });
});

describe('the cursors of', () => {
  const [billing, wiki] = ['billing' as AppId, 'wiki' as AppId];
  const foreign = (name: string) =>
    expect.objectContaining({ options: expect.objectContaining({ field: expect.objectContaining({ name }) }) });

  test('all keys are bound to their filter', () => {
    const place = { page: null, appId: 'billing', ulid: idOf(1) };
    const cursor = encodeKeyCursor(['ending'], place);
    expect(decodeKeyCursor(['ending'], cursor)).toEqual(place);
    expect(decodeKeyCursor([], encodeKeyCursor([], { ...place, page: 'next' }))).toEqual({ ...place, page: 'next' });
    expect(() => decodeKeyCursor([], cursor)).toThrow(foreign('cursor'));
    expect(() => decodeKeyCursor([], encodeCursor(['keys'], [null, 'billing']))).toThrow(foreign('cursor'));
    expect(() => decodeKeyCursor([], encodeCursor(['other'], [null, 'billing', '']))).toThrow(foreign('cursor'));
  });

  test('a feed are bound to their application', () => {
    const feeds = [
      { first: 3, number: 7, id: idOf(2), isBehind: true },
      { first: 1, number: 0, id: null, isBehind: false },
    ] as const;
    for (const pendingAfter of [undefined, `47DEQp#${idOf(1)}`]) {
      const cursor = encodeFeedCursor(billing, { feeds, pendingAfter });
      expect(decodeFeedCursor(billing, cursor)).toEqual({ feeds, pendingAfter });
      expect(() => decodeFeedCursor(wiki, cursor)).toThrow(foreign('after'));
    }
    for (const own of [
      [1, 0],
      [2, 0, null],
      [1, 1, null],
      [2, 1, 'A'],
      [1, -1, null],
      [1, 0.5, null],
    ]) {
      const damaged = encodeCursor(['feed', billing], [own, [1, 0, null], null]);
      expect(() => decodeFeedCursor(billing, damaged)).toThrow(foreign('after'));
    }
  });

  test('a snapshot are bound to their application, and continue in the range that they name', () => {
    const ranges: Range[] = [{ pk: 'A' }, { pk: 'B' }];
    const after = { pk: 'B', sk: 'USER#ada' };
    const place = { changesCursor: 'from here', count: 3, range: 1, after };
    const cursor = encodeSnapshotCursor(billing, place);
    expect(decodeSnapshotCursor(billing, cursor, ranges)).toEqual(place);
    expect(() => decodeSnapshotCursor(wiki, cursor, ranges)).toThrow(foreign('after'));
    const beginning = { ...place, after: undefined };
    expect(decodeSnapshotCursor(billing, encodeSnapshotCursor(billing, beginning), ranges)).toEqual(beginning);
    expect(decodeSnapshotCursor(billing, cursor, [])).toEqual({ ...place, after: undefined });
    for (const other of [
      ['', -1, 0, null],
      ['', 0.5, 0, null],
      ['', 0, 0],
      ['', 0, 0, ['a']],
    ]) {
      const damaged = encodeCursor(['snapshot', billing], other);
      expect(() => decodeSnapshotCursor(billing, damaged, ranges)).toThrow(foreign('after'));
    }
  });
});
