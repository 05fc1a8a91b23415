import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CsvError, decodeCsv, readRows, readTable } from '#shared/csv/read-csv.ts';
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
  const awkward = fc.stringMatching(/^['=+\-@＝\t\r\n",;a ]{1,8}$/);

  test('returns exactly what was written, including what spreadsheets treat as formulas', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(awkward, awkward), { minLength: 1 }), (rows) => {
        const visible = rows.filter((row) => row.some((cell) => cell.trim() !== ''));
        expect(cellsOf(csv.head + csv.lines(rows)).slice(1)).toEqual(visible);
      }),
    );
  });

  test('returns any text that was written, whatever would be a formula in it', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), awkward);
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (rows) => {
        const visible = rows.filter((row) => row.some((cell) => cell.trim() !== ''));
        expect(cellsOf(csv.head + csv.lines(rows)).slice(1)).toEqual(visible);
      }),
    );
  });

  test("returns a cell's own apostrophe", () => {
    const rows = [
      ["'=x", "''-"],
      ["o'neill", "'tis"],
      ["a;'b", "a;'=b"],
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

  const saved = [
    ['ada', 'Ada\r\nKing', 'ada@x.org'],
    ['zed', 'Zed One', ''],
  ];
  test.each([
    ['lines that end in LF', 'userId,displayName,email,status\nada,"Ada\r\nKing",ada@x.org,\nzed,Zed One,,\n'],
    ['lines that end in CRLF', 'userId,displayName,email,status\r\nada,"Ada\r\nKing",ada@x.org,\r\nzed,Zed One,,\r\n'],
    ['lines that end in CR', 'userId,displayName,email,status\rada,"Ada\r\nKing",ada@x.org,\rzed,Zed One,,\r'],
    ['a head with LF over rows with CRLF', 'userId,displayName,email\nada,"Ada\r\nKing",ada@x.org\r\nzed,Zed One,\r\n'],
    ['an appended line with LF', 'userId,displayName,email\r\nada,"Ada\r\nKing",ada@x.org\r\nzed,Zed One,\n'],
    ['several appended lines', 'userId,displayName,email\r\n"ada","Ada\r\nKing","ada@x.org"\n"zed","Zed One",""\n'],
    ['no end of the last line', 'userId,displayName,email\r\nada,"Ada\r\nKing",ada@x.org\nzed,Zed One,'],
    [
      'rows without the empty cells at their end',
      'userId,displayName,email,status\nada,"Ada\r\nKing",ada@x.org\nzed,Zed One\n',
    ],
    [
      'a delimiter at the end of the head alone',
      'userId,displayName,email,\nada,"Ada\r\nKing",ada@x.org\nzed,Zed One\n',
    ],
    [
      'delimiters at the end of the rows alone',
      'userId,displayName,email\nada,"Ada\r\nKing",ada@x.org,\nzed,Zed One,,,\n',
    ],
    [
      'rows that Excel filled with delimiters',
      'userId;displayName;email;;\nada;"Ada\r\nKing";ada@x.org;;\nzed;Zed One;;;\n;;;;\n',
    ],
    ['sep=;', 'sep=;\r\nuserId;displayName;email\r\nada;"Ada\r\nKing";ada@x.org\r\nzed;Zed One;\r\n'],
    [
      'a byte order mark and SEP=,',
      '\uFEFFSEP=,\nuserId,displayName,email\nada,"Ada\r\nKing",ada@x.org\nzed,Zed One\n',
    ],
    ['sep= and a tab', 'sep=\t\r\nuserId\tdisplayName\temail\r\nada\t"Ada\r\nKing"\tada@x.org\r\nzed\tZed One\r\n'],
    [
      'sep=; and titles with commas',
      'sep=;\n"userId";displayName;email;"a,b,c,d,e"\nada;"Ada\r\nKing";ada@x.org\nzed;Zed One\n',
    ],
  ])('is the same with %s', (_, text) => {
    const columns = ['userId', 'displayName', 'email'];
    expect(readTable(text).rows.map(({ values }) => columns.map((column) => values.get(column)))).toEqual(saved);
  });

  test('counts the line of the delimiter when it names a line', () => {
    expect(readTable('sep=;\nuserId;email\nada;a@b.c\n').rows.map(({ line }) => line)).toEqual([3]);
    expect(() => readTable('sep=;\nuserId;email\nada;a@b.c;inactive\n')).toThrow(
      'Line 3 has 3 cells, but the first row has 2.',
    );
  });

  test.each([
    [
      'a value beyond the last column',
      'userId,email\n"ada\n",a@b.c\ngrace,,inactive\n',
      'Line 4 has 3 cells, but the first row has 2.',
    ],
    [
      'several such rows',
      'userId\nada,x\r\ngrace,y\nalan\n',
      'Line 2 has 2 cells, but the first row has 1. 1 more line differs too.',
    ],
    ['a value that was not in quotation marks', 'userId,displayName\nada,King, Ada\n', 'Line 2 has 3 cells'],
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
