import Papa from 'papaparse';

/** A column of a table in a file. */
export interface CsvColumn<Item> {
  readonly title: string;
  readonly cell: (item: Item) => string;
}

/** The byte order mark, by which Excel recognizes UTF-8. */
export const byteOrderMark = '\uFEFF';

/**
 * The beginning of a cell that spreadsheets treat as a formula (OWASP, "CSV Injection"), also in full width, or that would look
 * like one with an apostrophe added, so that reading removes exactly what writing has added.
 */
export const formulaPrefix = /^'*[=+\-@\t\r\n＝＋－＠]/u;

/**
 * A table as CSV (RFC 4180) that can be opened in a spreadsheet: `head` is the start of the file, and `lines` formats the
 * lines of more items. A cell that a spreadsheet would treat as a formula is prefixed with an apostrophe.
 */
export function createCsv<Item>(columns: readonly CsvColumn<Item>[]) {
  return {
    head: `${byteOrderMark}${linesOf([columns.map(({ title }) => title)])}`,
    lines: (items: readonly Item[]): string => linesOf(items.map((item) => columns.map(({ cell }) => cell(item)))),
  };
}

/** `2026-11-20 19:14:11 UTC`: the same in every file, wherever it was written. */
export function utcTime(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

function linesOf(rows: readonly (readonly string[])[]): string {
  // The library's own pattern misses cells that span several lines.
  const text = Papa.unparse([...rows], { escapeFormulae: formulaPrefix, newline: '\r\n' });
  return text === '' ? '' : `${text}\r\n`;
}
