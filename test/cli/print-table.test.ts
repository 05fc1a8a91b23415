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

test('on a terminal the widest columns are truncated, but not the id', () => {
  const [titles, row] = createTable(wide, { ...plain, columns: 40 })([{ id: 'a-rather-long-id', name: 'Ada' }]);
  expect([titles, row]).toEqual(['ID                NAME  LAST S…  NOTE', 'a-rather-long-id  Ada   2026-1…  all ab…']);
});

test('if that is not enough, trailing columns are dropped and marked with an ellipsis', () => {
  const [titles, row] = createTable(wide, { ...plain, columns: 28 })([{ id: 'a-rather-long-id', name: 'Ada' }]);
  expect([titles, row]).toEqual(['ID                NAME  …', 'a-rather-long-id  Ada   …']);
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
