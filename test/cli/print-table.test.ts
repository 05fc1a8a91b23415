import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Column, createTable, recordLines } from '../../cli/terminal/print-table.ts';
import { displayWidth, printable } from '../../cli/terminal/terminal.ts';

const plain = { style: (text: string) => text, columns: undefined };
const columns: readonly Column<{ readonly id: string; readonly name: string }>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'NAME', cell: ({ name }) => name },
];

test('columns are as wide as their widest cell, and no line ends with blanks', () => {
  const table = createTable([...columns, { title: 'X', cell: () => '' }], plain);
  expect(
    table([
      { id: 'a', name: 'Ada' },
      { id: 'longer', name: '' },
    ]),
  ).toEqual(['ID      NAME  X', 'a       Ada', 'longer']);
});

test('titles appear once, with the first items', () => {
  const table = createTable(columns, plain);
  expect(table([])).toEqual([]);
  expect(table([{ id: 'a', name: 'Ada' }])).toEqual(['ID  NAME', 'a   Ada']);
  expect(table([{ id: 'b', name: 'Bob' }])).toEqual(['b   Bob']);
});

test('wide characters take two columns', () => {
  expect([
    displayWidth('abc'),
    displayWidth('請求'),
    displayWidth('é'),
    displayWidth('👩‍💻'),
    displayWidth('e\u0301'),
  ]).toEqual([3, 4, 1, 2, 1]);
});

test('colours do not move columns', () => {
  const style = (text: string, tone: string | undefined) => (tone === undefined ? text : `<${tone}>${text}</>`);
  const table = createTable([{ title: 'S', cell: () => 'off', tone: () => 'red' as const }, ...columns], {
    ...plain,
    style,
  });
  expect(table([{ id: 'a', name: 'Ada' }])).toEqual([
    '<bold>S</>    <bold>ID</>  <bold>NAME</>',
    '<red>off</>  a   Ada',
  ]);
});

const wide: readonly Column<{ readonly id: string; readonly name: string }>[] = [
  ...columns,
  { title: 'LAST SEEN', cell: () => '2026-11-22 19:14:11Z' },
  { title: 'NOTE', cell: ({ name }) => `all about ${name}` },
];

const row = { id: 'a-rather-long-id', name: 'Ada' };
const tableAt = (most: number, of = wide) => createTable(of, { ...plain, columns: most })([row]);

test('on a terminal long texts are truncated, but neither times nor the id', () => {
  const note = 'all about Ada and what she did in her first week';
  const noted = wide.map((column) =>
    column.title === 'NOTE' ? { ...column, cell: () => note, isText: true } : column,
  );
  expect(tableAt(64, noted)).toEqual([
    'ID                NAME  LAST SEEN             NOTE',
    'a-rather-long-id  Ada   2026-11-22 19:14:11Z  all about Ada and…',
  ]);
});

test('if that is not enough, whole columns are dropped and marked with an ellipsis, the least important first', () => {
  expect(tableAt(50)).toEqual([
    'ID                NAME  LAST SEEN             …',
    'a-rather-long-id  Ada   2026-11-22 19:14:11Z  …',
  ]);
  expect(tableAt(40)).toEqual(['ID                NAME  …', 'a-rather-long-id  Ada   …']);
  const ranked = wide.map((column) => (column.title === 'NOTE' ? { ...column, rank: 1 } : column));
  expect(tableAt(40, ranked)).toEqual([
    'ID                NAME  NOTE           …',
    'a-rather-long-id  Ada   all about Ada  …',
  ]);
});

test('later pages have the columns of the titles, even if their cells are wider', () => {
  const table = createTable(wide, { ...plain, columns: 66 });
  expect(table([row])[0]).toBe('ID                NAME  LAST SEEN             NOTE');
  const [later = ''] = table([{ id: 'an-id-that-is-longer-than-those-of-the-first-page', name: 'Ada' }]);
  expect(later.split('  ')).toHaveLength(4);
});

test('no line is wider than the terminal, whatever its content, even on later pages', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 40 });
  fc.assert(
    fc.property(
      fc.array(fc.record({ id: cell, name: cell }), { minLength: 1 }),
      fc.integer({ min: 8, max: 90 }),
      (items, most) => {
        const table = createTable(wide, { ...plain, columns: most });
        const lines = [...table(items.slice(0, 1)), ...table(items)];
        expect(lines.filter((line) => displayWidth(line) > most)).toEqual([]);
      },
    ),
  );
});

test('without a terminal, cells are not truncated', () => {
  const id = 'x'.repeat(500);
  expect(createTable(wide, plain)([{ id, name: 'Ada' }])[1]).toContain(`${id}  Ada`);
});

test('a text can neither control the terminal nor start a new line', () => {
  expect(printable('a\u001b[2Jb\nc\u009bd\u202ee')).toBe('a\ufffd[2Jb\ufffdc\ufffdd\ufffde');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const [, line = ''] = createTable(columns, plain)([{ id: 'a', name }]);
      expect(line).not.toMatch(/\p{Cc}/u);
    }),
  );
});

test('a record has a label and a value per line', () => {
  expect(
    recordLines([
      ['user', 'ada'],
      ['may enter', 'yes\n'],
    ]),
  ).toEqual(['user       ada', 'may enter  yes\ufffd']);
});
