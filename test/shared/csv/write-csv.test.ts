import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Papa from 'papaparse';
import { createCsv } from '#shared/csv/write-csv.ts';

const csv = createCsv<readonly [string, string]>([
  { title: 'who', cell: ([who]) => who },
  { title: 'why', cell: ([, why]) => why },
]);

describe('CSV', () => {
  test('begins with the byte order mark that Excel needs, then the titles', () => {
    expect(csv.head).toBe('\uFEFFwho,why\r\n');
  });

  test('quotes values with commas, quotes or line breaks', () => {
    expect(csv.lines([['ada', 'said "no",\nthen left']])).toBe('ada,"said ""no"",\nthen left"\r\n');
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t1', '\r1', '\n1', '\0=1', '＝1', '=HYPERLINK("x")\nsecond line'])(
    'prefixes %j with an apostrophe, because a spreadsheet would treat it as a formula',
    (formula) => {
      expect(readBack(csv.lines([['ada', formula]]))).toEqual([['ada', `'${formula}`]]);
    },
  );

  test.each([
    ['a semicolon', 'left;=1+1', "left;'=1+1"],
    ['a comma', 'left,+1', "left,'+1"],
    ['a tab', 'left\t-1', "left\t'-1"],
    ['the end of a line', 'left\r\n@SUM(A1)', "left\r\n'@SUM(A1)"],
    ['a tab at its beginning', '\t=1', "'\t'=1"],
    ['quotation marks after a semicolon', 'left;"=1+1"', `left;"'=1+1"`],
    ['an apostrophe after a semicolon', "left;'=1+1", "left;''=1+1"],
    ['another one', '=1;=2;3', "'=1;'=2;3"],
  ])('prefixes what would be a formula in a spreadsheet that begins a cell after %s', (_, value, written) => {
    expect(readBack(csv.lines([['ada', value]]))).toEqual([['ada', written]]);
  });

  const dangerous = fc.string({ unit: fc.constantFrom(...'=+-@＝\'",;\t\r\n\0a '), maxLength: 12 });
  test('begins no cell with a formula, whichever delimiter a spreadsheet takes, with quotation marks or without', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(dangerous, dangerous), { minLength: 1 }), (items) => {
        const text = csv.lines(items);
        const parsed = [',', ';', '\t'].flatMap((delimiter) => Papa.parse<string[]>(text, { delimiter }).data.flat());
        const torn = text.split(/[,;\t\r\n]/).map((cell) => cell.replace(/^"+/, ''));
        for (const cell of [...parsed, ...torn]) expect(cell).not.toMatch(/^[=+\-@\0＝＋－＠]/u);
      }),
    );
  });

  test('has no lines without items', () => {
    expect(csv.lines([])).toBe('');
  });

  test('reads back as written, whatever a cell contains, except for apostrophes', () => {
    const text = fc.string({ unit: 'binary' });
    const withoutApostrophes = (cell: string | undefined) => cell?.replaceAll("'", '');
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (items) => {
        expect(readBack(csv.lines(items)).map((cells) => cells.map(withoutApostrophes))).toEqual(
          items.map((cells) => cells.map(withoutApostrophes)),
        );
      }),
    );
  });
});

function readBack(text: string): string[][] {
  return Papa.parse<string[]>(text, { newline: '\r\n', delimiter: ',' }).data.slice(0, -1);
}
