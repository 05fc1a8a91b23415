import { describe, expect, test } from '@jest/globals';
import type { ChangeView } from '#shared/contract/change.ts';
import { createUlid } from '#shared/core/ids.ts';
import { loadRows } from '../../dashboard/history/history-rows.ts';
import { storedChange } from '../support/stored-items.ts';

const start = Date.parse('2026-11-20T10:00:00.000Z');
const bulkId = createUlid(new Date(start));
let last = 0;

/** A change some seconds after the bulk began. */
function at(seconds: number, given: object = {}): ChangeView {
  const time = new Date(start + seconds * 1000);
  last += 1;
  return { ...storedChange({ id: `c${last}`, at: time.toISOString(), ...given }), undo: 'possible' } as ChangeView;
}

/** A history in pages of a fixed size, however many are asked for. */
function pagesOf(changes: readonly ChangeView[], size: number) {
  const limits: (number | undefined)[] = [];
  const load = async (cursor: string | undefined, limit: number | undefined) => {
    limits.push(limit);
    const from = Number(cursor ?? 0);
    const next = from + size;
    return { items: changes.slice(from, next), cursor: next < changes.length ? String(next) : null };
  };
  return { load, limits };
}

const briefly = (rows: Awaited<ReturnType<typeof loadRows>>['items']) =>
  rows.map((row) => (row.kind === 'bulk' ? `${row.isUndo ? 'undo' : 'bulk'} of ${row.changes.length}` : 'change'));

async function allPages(changes: readonly ChangeView[], size: number, maxRequests: number) {
  const { load } = pagesOf(changes, size);
  const pages: string[][] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await loadRows(load, cursor, maxRequests);
    pages.push(briefly(page.items));
    if (page.cursor === null) return pages;
    cursor = page.cursor;
  }
}

describe('a bulk change is one row', () => {
  const bulk = [5, 4, 3, 2, 1].map((second) => at(second, { bulkId }));

  test('between others, and with others in between', async () => {
    const changes = [at(9), ...bulk.slice(0, 2), at(3), ...bulk.slice(2), at(0)];
    expect(await allPages(changes, 100, 6)).toEqual([['change', 'bulk of 5', 'change', 'change']]);
  });

  test('that reads on behind its end until it is whole', async () => {
    const { load, limits } = pagesOf([at(9), ...bulk, at(0), at(-400)], 2);
    const { items } = await loadRows(load, undefined, 6);
    expect(briefly(items)).toEqual(['change', 'bulk of 5', 'change', 'change']);
    expect(limits).toEqual([undefined, 100, 100, 100]);
  });

  test('also if the page ends in it: the next page leaves out the rest', async () => {
    expect(await allPages([at(9), ...bulk, at(0), at(-400)], 2, 1)).toEqual([
      ['change', 'bulk of 1'],
      [],
      [],
      ['change', 'change'],
    ]);
  });

  test('and stays one for changes before the time in its id, when the clock was ahead', async () => {
    const early = [at(5, { bulkId }), at(-299, { bulkId })];
    expect(await allPages(early, 1, 1)).toEqual([['bulk of 1'], []]);
  });

  test('apart from its undo, of which each operator has one row', async () => {
    const by = (id: string) => ({ bulkId, undoOf: 'c1', caller: { kind: 'operator', via: 'iam', role: 'admin', id } });
    const changes = [at(90_000, by('eve')), at(20, by('ann')), at(11, by('eve')), at(10, by('ann')), ...bulk];
    expect(await allPages(changes, 100, 6)).toEqual([['undo of 1', 'undo of 2', 'undo of 1', 'bulk of 5']]);
  });
});

test('two bulk changes are two rows, also when they alternate', async () => {
  const other = createUlid(new Date(start + 1));
  const changes = [9, 8, 7, 6].map((second) => at(second, { bulkId: second % 2 ? bulkId : other }));
  expect(await allPages(changes, 3, 1)).toEqual([['bulk of 2', 'bulk of 1'], []]);
});

test('a history without bulk changes takes one request, of the default size', async () => {
  const { load, limits } = pagesOf([at(3), at(2), at(1)], 2);
  expect(await loadRows(load, undefined, 6)).toMatchObject({ cursor: '2' });
  expect(limits).toEqual([undefined]);
});

test.each(['2~', '2~{}', '2~[["x"]]', '2~[[1,2]]'])(
  'a cursor with an edited end, %s, is still a place',
  async (cursor) => {
    const { load } = pagesOf([at(3), at(2), at(1, { bulkId })], 2);
    expect(briefly((await loadRows(load, cursor, 6)).items)).toEqual(['bulk of 1']);
  },
);
