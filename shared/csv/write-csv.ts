import Papa from 'papaparse';

/** A column of a table in a file. */
export interface CsvColumn<Item> {
  readonly title: string;
  readonly cell: (item: Item) => string;
}

/** The byte order mark, by which Excel recognizes UTF-8. */
export const byteOrderMark = '\uFEFF';

/**
 * With which characters spreadsheets begin a formula (OWASP, "CSV Injection"; ASVS 1.2.10), also in full width, or what would look
 * like one with an apostrophe added, so that reading removes exactly what writing has added.
 */
const formula = "'*[=+\\-@\\0＝＋－＠]";

/**
 * Where a cell can begin. Inside a value too: a spreadsheet of another locale divides a line at semicolons, and then does not see
 * the quotation marks around the value.
 */
const cellStart = '([,;\\t\\r\\n]"*)';

const bareFormulas = new RegExp(`${cellStart}(?=${formula})`, 'gu');
const markedFormulas = new RegExp(`${cellStart}'(?=${formula})`, 'gu');

/** A value with an apostrophe before each formula, and before white space that a spreadsheet drops from its beginning. */
function withApostrophes(value: string): string {
  const text = `\n${value}`.replace(bareFormulas, "$1'").slice(1);
  return /^'*[\t\r\n]/.test(text) ? `'${text}` : text;
}

/** The value to which `createCsv` added apostrophes. */
export function withoutApostrophes(value: string): string {
  const text = /^'+[\t\r\n]/.test(value) ? value.slice(1) : value;
  return `\n${text}`.replace(markedFormulas, '$1').slice(1);
}

/**
 * A table as CSV (RFC 4180) that can be opened in a spreadsheet: `head` is the start of the file, and `lines` formats the
 * lines of more items. What a spreadsheet might treat as a formula is prefixed with an apostrophe.
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
  const written = rows.map((cells) => cells.map(withApostrophes));
  const quotes = (value: string) => withoutApostrophes(value) !== value;
  const text = Papa.unparse(written, { quotes, newline: '\r\n' });
  return text === '' ? '' : `${text}\r\n`;
}
