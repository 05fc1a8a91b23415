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

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '=HYPERLINK("x")\nsecond line'])(
    'prefixes %j with an apostrophe, because a spreadsheet would treat it as a formula',
    (formula) => {
      expect(readBack(csv.lines([['ada', formula]]))).toEqual([['ada', `'${formula}`]]);
    },
  );

  test('has no lines without items', () => {
    expect(csv.lines([])).toBe('');
  });

  test('reads back as written, whatever a cell contains, except for the apostrophe', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))), (items) => {
        const withApostrophe = (cell: string) => (/^[=+\-@\t\r\n＝＋－＠]/u.test(cell) ? `'${cell}` : cell);
        expect(readBack(csv.lines(items))).toEqual(items.map((cells) => cells.map(withApostrophe)));
      }),
    );
  });
});

function readBack(text: string): string[][] {
  return Papa.parse<string[]>(text, { newline: '\r\n', delimiter: ',' }).data.slice(0, -1);
}
