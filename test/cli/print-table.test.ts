import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Column, createTable, recordLines } from '../../cli/print-table.ts';
import { displayWidth, printable } from '../../cli/terminal.ts';

const plain = (text: string) => text;
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

test('titles come once, with the first items', () => {
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
  const table = createTable([{ title: 'S', cell: () => 'off', tone: () => 'red' as const }, ...columns], style);
  expect(table([{ id: 'a', name: 'Ada' }])).toEqual([
    '<bold>S</>    <bold>ID</>  <bold>NAME</>',
    '<red>off</>  a   Ada',
  ]);
});

test('a text can neither drive the terminal nor begin a line', () => {
  expect(printable('a\u001b[2Jb\nc\u009bd\u202ee')).toBe('a\ufffd[2Jb\ufffdc\ufffdd\ufffde');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const [, line = ''] = createTable(columns, plain)([{ id: 'a', name }]);
      expect(line).not.toMatch(/\p{Cc}/u);
    }),
  );
});

test('a record has a label and a value to a line', () => {
  expect(
    recordLines([
      ['user', 'ada'],
      ['may enter', 'yes\n'],
    ]),
  ).toEqual(['user       ada', 'may enter  yes\ufffd']);
});
