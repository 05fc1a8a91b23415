import { expect, test } from '@jest/globals';
import { readAll, readUpTo } from '#shared/contract/read-all.ts';
import { counterOf, type List } from '../../dashboard/api/use-list.ts';
import { readSorting, sortBy, sortItems, writeSorting } from '../../dashboard/lists/sort-items.ts';

interface Named {
  readonly id: string;
  readonly name: string | null;
  readonly count?: number | null;
}

const columns = [
  { id: 'name', header: 'Name', cell: () => '', ...sortBy<Named>(({ name }) => name) },
  { id: 'count', header: 'Count', cell: () => '', ...sortBy<Named>(({ count }) => count) },
  { id: 'plain', header: 'Plain', cell: () => '' },
];
const inOrder = (items: readonly Named[], sorting: string) =>
  sortItems(items, readSorting(sorting, columns)).map(({ id }) => id);

test('names are sorted as people do: ignoring case and accents, with numbers by their value', () => {
  const items = ['Zoe', 'émile', 'Emil', 'team 10', 'Team 2', 'ada'].map((name) => ({ id: name, name }));
  expect(inOrder(items, 'name')).toEqual(['ada', 'Emil', 'émile', 'Team 2', 'team 10', 'Zoe']);
  expect(inOrder(items, '-name')).toEqual(['Zoe', 'team 10', 'Team 2', 'émile', 'Emil', 'ada']);
});

test('numbers are sorted by value, items without a value come last, and equal ones keep their order', () => {
  const items = [
    { id: 'none', name: 'x', count: null },
    { id: 'ten', name: 'x', count: 10 },
    { id: 'two', name: 'x', count: 2 },
    { id: 'zero', name: '', count: 0 },
  ];
  expect(inOrder(items, 'count')).toEqual(['zero', 'two', 'ten', 'none']);
  expect(inOrder(items, 'name')).toEqual(['none', 'ten', 'two', 'zero']);
});

test('an order that the list does not have leaves the items in the order of the server', () => {
  const items = [
    { id: 'b', name: 'b' },
    { id: 'a', name: 'a' },
  ];
  for (const sorting of ['', 'plain', 'unknown', '-']) expect(inOrder(items, sorting)).toEqual(['b', 'a']);
  expect(readSorting('plain', columns)).toBeUndefined();
});

test('an order is read from the text that it was written as', () => {
  for (const text of ['name', '-count']) {
    const sorting = readSorting(text, columns);
    expect(sorting && writeSorting(sorting)).toBe(text);
  }
});

/** Pages of the numbers from 1 to `count`. */
const numbers = (count: number, pageSize: number) => {
  const asked: (string | undefined)[] = [];
  const load = async (cursor: string | undefined) => {
    asked.push(cursor);
    const start = Number(cursor ?? 0);
    const items = Array.from({ length: Math.min(pageSize, count - start) }, (_, n) => start + n + 1);
    return { items, cursor: start + pageSize < count ? String(start + pageSize) : null };
  };
  return { asked, load };
};

test('a list is loaded page by page up to its limit, and says whether it was cut', async () => {
  const whole = numbers(7, 3);
  expect(await readUpTo(10, whole.load)).toEqual({ items: [1, 2, 3, 4, 5, 6, 7], isCut: false });
  expect(whole.asked).toEqual([undefined, '3', '6']);
  expect(await readUpTo(7, numbers(7, 3).load)).toEqual({ items: [1, 2, 3, 4, 5, 6, 7], isCut: false });
  const cut = numbers(70, 3);
  expect(await readUpTo(6, cut.load)).toEqual({ items: [1, 2, 3, 4, 5, 6], isCut: true });
  expect(cut.asked).toHaveLength(2);
  expect(await readUpTo(2, numbers(3, 3).load)).toEqual({ items: [1, 2], isCut: true });
  expect(await readAll(numbers(7, 3).load)).toHaveLength(7);
});

test('the total of a list is shown once it is known', () => {
  const counter = (all: readonly number[] | undefined, isCut = false) => counterOf({ all, isCut } as List<number>);
  expect([counter(undefined), counter([]), counter([1, 2])]).toEqual([undefined, '(0)', '(2)']);
  expect(
    counter(
      Array.from({ length: 2000 }, (_, n) => n),
      true,
    ),
  ).toBe('(2,000+)');
});
