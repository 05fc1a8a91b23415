import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { BulkId } from '#shared/contract/fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { createUlid } from '#shared/core/ids.ts';
import { log } from '#shared/core/telemetry.ts';
import { deleteInBatches } from '#shared/domain/request/delete-in-batches.ts';
import { changeInBulk, partOf } from '#shared/domain/request/in-bulk.ts';
import { hasAny, listPage } from '#shared/domain/request/list-page.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';
import { conditionCheckEntry, deleteEntry } from '#shared/table/expression.ts';
import { operatorContext as context, operatorAttempt } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n);

describe('work on many items', () => {
  test('returns its results in order, with at most ten concurrently', async () => {
    let running = 0;
    let most = 0;
    const work = async (n: number) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return n * 2;
    };
    expect(await mapConcurrently(numbers(25), work)).toEqual(numbers(25).map((n) => n * 2));
    expect(most).toBe(10);
  });

  test('that fails begins no further item, and throws the first failure once what it began has ended', async () => {
    const [begun, ended]: [number[], number[]] = [[], []];
    const work = async (n: number) => {
      begun.push(n);
      for (let turn = 0; turn <= n; turn++) await new Promise((resolve) => setImmediate(resolve));
      if (n === 1 || n === 3) throw new Error(`failure ${n}`);
      ended.push(n);
    };
    await expect(mapConcurrently(numbers(25), work)).rejects.toThrow('failure 1');
    // Item 10 was begun by the worker that ended item 0 before the failure.
    expect(begun).toEqual(numbers(11));
    expect(ended).toEqual(numbers(11).filter((n) => n !== 1 && n !== 3));
  });

  test('returns no results without items', async () => {
    expect(await mapConcurrently([], async () => 1)).toEqual([]);
  });
});

describe('a bulk', () => {
  const now = new Date('2026-11-20T19:00:00.000Z');
  const idAt = (milliseconds: number) => createUlid(new Date(now.getTime() + milliseconds)) as BulkId;
  beforeEach(() => {
    jest.useFakeTimers({ now });
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  test('has an outcome for every user, whatever the outcome for others', async () => {
    const error = new Error('defect');
    const logged = jest.spyOn(log, 'error').mockImplementation(() => {});
    const outcomes = await changeInBulk({ userIds: ['ada', 'bob', 'eve', 'mallory', '#'] }, context, async (userId) => {
      if (userId === 'eve') throw new ServiceError('user_not_found', { detail: 'There is none.' });
      if (userId === 'mallory') throw error;
      return { changed: userId === 'ada' };
    });
    const failed = (userId: string, code: string, detail: string) => {
      return { userId, outcome: 'failed', problem: { code, detail } };
    };
    expect(outcomes).toEqual([
      { userId: 'ada', outcome: 'changed' },
      { userId: 'bob', outcome: 'unchanged' },
      failed('eve', 'user_not_found', 'There is none.'),
      failed('mallory', 'internal', 'An unexpected error occurred. Report the request id.'),
      failed('#', 'invalid_request', 'This is not a valid user id.'),
    ]);
    expect(logged.mock.calls).toEqual([['bulk', { requestId: 'r', error }]]);
  });

  test('passes on its id and whether it is a dry run, with the user as the subject of the call', async () => {
    const seen: unknown[] = [];
    const note = async (_: string, { dryRun, bulkId, ...part }: OperatorContext) => {
      seen.push([dryRun, bulkId, part.attempt?.subject]);
      return { changed: false };
    };
    const changeOne = note as Parameters<typeof changeInBulk>[2];
    const bulkId = idAt(0);
    await changeInBulk({ userIds: ['ada'] }, operatorAttempt('r'), changeOne);
    await changeInBulk({ userIds: ['ada'], bulkId, dryRun: true }, context, changeOne);
    expect(seen).toEqual([
      [false, undefined, 'ada'],
      [true, bulkId, undefined],
    ]);
    expect(partOf(context, 'ada')).toBe(context);
  });

  test('has an id of the last day, with five minutes of clock skew', async () => {
    const begin = (milliseconds: number) =>
      changeInBulk({ userIds: [], bulkId: idAt(milliseconds) }, context, async () => ({ changed: true }));
    for (const milliseconds of [300_000, 0, -86_400_000]) expect(await begin(milliseconds)).toEqual([]);
    for (const milliseconds of [300_001, -86_400_001]) {
      await expect(begin(milliseconds)).rejects.toThrow('bulkId must be a ULID of the last 24 hours');
    }
  });
});

describe('a list', () => {
  const memory = tableForEachTest();
  const itemOf = (n: number) => ({ pk: 'LIST', sk: `ITEM#${n}`, n });
  const viewOf = ({ n }: { n?: unknown }) => (Number(n) < 3 ? undefined : { n });

  test('shows items that have a view, in full pages while there are any', async () => {
    memory.put(...numbers(9).map(itemOf));
    const page = await listPage({ pk: 'LIST' }, { limit: 2 }, viewOf);
    expect(page.items).toEqual([{ n: 3 }, { n: 4 }]);
    const rest = await listPage({ pk: 'LIST' }, { limit: 4, cursor: page.cursor ?? '' }, viewOf);
    expect(rest).toEqual({ items: numbers(4, 5).map((n) => ({ n })), cursor: null });
  });

  test('finds an item after empty pages', async () => {
    const pages = [
      { items: [], cursor: 'one' },
      { items: [], cursor: 'two' },
      { items: ['item'], cursor: 'three' },
    ];
    const asked: unknown[] = [];
    const list = (of: typeof pages) => async (page: object) => {
      asked.push(page);
      return of[asked.length - 1] ?? { items: [], cursor: null };
    };
    expect(await hasAny(list(pages))).toBe(true);
    expect(asked).toEqual([undefined, 'one', 'two'].map((cursor) => ({ limit: 100, cursor })));
    asked.length = 0;
    expect(await hasAny(list(pages.slice(0, 2)))).toBe(false);
    expect(asked).toHaveLength(3);
  });
});

describe('a deletion in batches', () => {
  const memory = tableForEachTest();
  const keyOf = (n: number) => ({ pk: 'MANY', sk: String(n).padStart(4, '0') });
  const guard = { pk: 'GUARD', sk: 'ITEM' };
  const held = conditionCheckEntry(guard, { equals: { version: 1 } });
  const groups = (...sizes: number[]) => {
    let next = 0;
    return sizes.map((size) => numbers(size).map(() => deleteEntry(keyOf(next++))));
  };
  const sizes = () => memory.sdk.requests.map(({ input }) => input.TransactItems.length);
  beforeEach(() => {
    memory.put({ ...guard, version: 1 }, ...numbers(300).map(keyOf));
  });

  test.each([
    ['small groups together', [2, 3, 4], [9]],
    ['groups together up to a hundred entries', [60, 40, 1], [100, 1]],
    ['each group that fits into one transaction undivided', [60, 41], [60, 41]],
    ['a group that is too large separately, in as many parts as it needs', [250], [50, 100, 100]],
    ['a group that is too large after the groups before it', [3, 150, 2], [53, 100, 2]],
    ['the last entries of a group that is too large in one part', [101], [1, 100]],
    ['no entries in no transactions', [0], []],
  ])('deletes %s', async (_, given, expected) => {
    expect(await deleteInBatches(groups(...given))).toBe(true);
    expect(sizes()).toEqual(expected);
    expect(memory.table.items()).toHaveLength(301 - given.reduce((sum, size) => sum + size, 0));
  });

  test('has its guard in every transaction, and ends when that no longer holds', async () => {
    expect(await deleteInBatches(groups(99, 2), [held])).toBe(true);
    expect(sizes()).toEqual([100, 3]);
    memory.before = () => memory.put({ ...guard, version: 2 });
    expect(await deleteInBatches(groups(99, 99), [held])).toBe(false);
    expect(sizes()).toEqual([100, 3, 100]);
  });
});
