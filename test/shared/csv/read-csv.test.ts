import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CsvError, decodeCsv, readNames, readRows, readTable } from '#shared/csv/read-csv.ts';
import { createCsv } from '#shared/csv/write-csv.ts';

const cellsOf = (text: string) => readRows(text).map(({ cells }) => cells);

describe('reading CSV', () => {
  test.each([
    ['commas', 'a,b\r\nc,d\r\n'],
    ['semicolons', 'a;b\nc;d\n'],
    ['tabs', 'a\tb\nc\td'],
    ['the byte order mark and empty lines', '\uFEFF\n\na,b\n\n,\nc,d\n\n'],
    ['quotes', '"a","b"\n"c","d"'],
  ])('reads values separated by %s', (_, text) => {
    expect(cellsOf(text)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  test('reports the line on which each row begins, even after a cell of several lines', () => {
    expect(readRows('a\n\nb').map(({ line }) => line)).toEqual([1, 3]);
    expect(readRows('a,"b\nc\nd"\ne,f').map(({ line }) => line)).toEqual([1, 4]);
    expect(readRows('a,"b\r\nc"\r\ne,f').map(({ line }) => line)).toEqual([1, 3]);
  });

  test('refuses unmatched quotation marks, and names the line', () => {
    const mistake = new CsvError(
      'Line 4 has quotation marks that do not match. Close them, and double those in a value.',
    );
    expect(() => readRows('a,"b\n2"\ne,f\n"c,d')).toThrow(mistake);
  });

  const csv = createCsv<readonly [string, string]>([
    { title: 'userId', cell: ([id]) => id },
    { title: 'name', cell: ([, name]) => name },
  ]);
  const awkward = fc.stringMatching(/^['=+\-@＝\t\n",;a ]{1,8}$/);

  test('returns exactly what was written, including what spreadsheets treat as formulas', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(awkward, awkward), { minLength: 1 }), (rows) => {
        const visible = rows.filter((row) => row.some((cell) => cell.trim() !== ''));
        expect(cellsOf(csv.head + csv.lines(rows)).slice(1)).toEqual(visible);
      }),
    );
  });

  test("returns a cell's own apostrophe", () => {
    const rows = [
      ["'=x", "''-"],
      ["o'neill", "'tis"],
    ] as const;
    expect(cellsOf(csv.head + csv.lines(rows)).slice(1)).toEqual(rows);
  });
});

describe('the text of a file', () => {
  const bytes = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding));

  test('is UTF-8, with or without a byte order mark', () => {
    expect(decodeCsv(bytes('\uFEFFZoë', 'utf8'))).toBe('Zoë');
    expect(decodeCsv(bytes('Zoë', 'utf8'))).toBe('Zoë');
  });

  test.each([
    ['UTF-16 with its mark', bytes('\uFEFFada', 'utf16le')],
    ['UTF-16 without', bytes('ada', 'utf16le')],
    ['Latin 1', bytes('Zoë,x', 'latin1')],
  ])('is refused in %s', (_, file) => {
    expect(() => decodeCsv(file)).toThrow(CsvError);
  });
});

describe('a table', () => {
  test('has its values by the column titles in the first row', () => {
    const { titles, rows } = readTable('userId, email\nada,a@b.c\ngrace,\n');
    expect(titles).toEqual(['userId', 'email']);
    expect(rows.map(({ line, values }) => [line, Object.fromEntries(values)])).toEqual([
      [2, { userId: 'ada', email: 'a@b.c' }],
      [3, { userId: 'grace', email: '' }],
    ]);
  });

  test.each([
    ['too few cells', 'userId,email\n"ada\n",a@b.c\ngrace\n', 'Line 4 has 1 cell, but the first row has 2.'],
    ['too many cells', 'userId,email\nada,a@b.c,inactive\n', 'Line 2 has 3 cells, but the first row has 2.'],
    [
      'several such rows',
      'userId,email\nada\ngrace\nalan\n',
      'Line 2 has 1 cell, but the first row has 2. 2 more lines differ too.',
    ],
  ])('is refused with %s and the line number', (_, text, message) => {
    expect(() => readTable(text)).toThrow(CsvError);
    expect(() => readTable(text)).toThrow(message);
  });

  test.each(['userId,userId\na,b', 'User ID,user_id\na,b'])(
    'is refused with two columns of the same title: %j',
    (text) => {
      expect(() => readTable(text)).toThrow(/^Two columns have the title/);
    },
  );
});

describe('ids or e-mail addresses', () => {
  test.each([
    ['one a line', 'ada\n\n grace \nada\n', ['ada', 'grace']],
    ['of the first column without a title', 'ada;x\ngrace;y\n', ['ada', 'grace']],
    ['of the column of ids', 'name,User ID\nx,ada\ny,grace\n', ['ada', 'grace']],
    ['of the column of e-mail addresses', 'Name;E-Mail\nAda;a@b.c\n', ['a@b.c']],
    ['of both columns, the id if there is one', 'email,userId\na@b.c,ada\nb@b.c,\n', ['ada', 'b@b.c']],
    ['of a single column with its title', 'email\na@b.c\n', ['a@b.c']],
    ['of an export with ids that look like formulas', "\uFEFFuserId\r\n'-ada\r\n'=x\r\n", ['-ada', '=x']],
    ['of an empty text', ' \n', []],
  ])('are those %s', (_, text, names) => {
    expect(readNames(text)).toEqual(names);
  });

  test('are refused from a table with a row of too few cells', () => {
    expect(() => readNames('email,userId\na@b.c\n')).toThrow('Line 2 has 1 cell');
  });

  test('are refused from a table with two columns of the same title', () => {
    expect(() => readNames('email,email\na@b.c,d@e.f')).toThrow(CsvError);
  });
});
