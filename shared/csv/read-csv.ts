import Papa from 'papaparse';
import { byteOrderMark, withoutApostrophes } from './write-csv.ts';

/** A human-readable problem with a file or a text. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

/** The text of a file; refuses one that is not UTF-8, as Excel's "Unicode text" is UTF-16. */
export function decodeCsv(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Reported below.
  }
  throw new CsvError('The file is not UTF-8 text. Save it as "CSV UTF-8".');
}

/** A row of a table in a file. */
export interface CsvRow {
  /** The line of the file on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * The rows that are not empty, divided by comma, semicolon or tab, without the apostrophes that `createCsv` adds for
 * spreadsheets. Each line may end in CRLF, LF or CR, whatever the others end in.
 */
export function readRows(text: string): CsvRow[] {
  const { content, delimiter } = withDelimiter(text);
  const { data, errors } = Papa.parse<string[]>(withLineFeeds(content, delimiter), { delimiter, newline: '\n' });
  const lines = linesOf(data);
  const [wrong] = errors;
  if (wrong !== undefined) {
    const line = lines[wrong.row ?? 0] ?? 1;
    throw new CsvError(`Line ${line} has quotation marks that do not match. Close them, and double those in a value.`);
  }
  return data
    .map((cells, index) => ({ line: lines[index] ?? 1, cells: cells.map(withoutApostrophes) }))
    .filter(({ cells }) => !cells.every(isBlank));
}

/** Excel's own way to name the delimiter, in a line before the table. */
const delimiterLine = /^sep=([,;\t])(?=[\r\n]|$)/i;

/** The text without what precedes the table; that line stays, empty, so that the others keep their numbers. */
export function withDelimiter(text: string): { readonly content: string; readonly delimiter: string } {
  const content = withoutMark(text);
  const [line = '', named] = delimiterLine.exec(content) ?? [];
  return { content: content.slice(line.length), delimiter: named ?? delimiterOf(content) };
}

/** The text without the byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
}

/** The ends of lines, in every way that files have them. */
export const lineEnd = /\r\n|\r|\n/g;

/**
 * Ends each line in LF, because the library takes one of them for all lines. What is in quotation marks, which only begin a
 * cell, stays as it is.
 */
function withLineFeeds(content: string, delimiter: string): string {
  const quotedCell = `(^|${delimiter}|\\r\\n|\\r|\\n)("[^"]*(?:""[^"]*)*")`;
  return content.replace(new RegExp(`${quotedCell}|${lineEnd.source}`, 'g'), (_, before?: string, quoted?: string) =>
    quoted === undefined ? '\n' : `${before === delimiter || before === '' ? before : '\n'}${quoted}`,
  );
}

/** The line on which each row begins: a quoted cell can span several. */
function linesOf(rows: readonly (readonly string[])[]): number[] {
  let next = 1;
  return rows.map((cells) => {
    const line = next;
    next += 1 + (cells.join(' ').match(lineEnd)?.length ?? 0);
    return line;
  });
}

/** The delimiter that occurs most in the first row; the library's own guess is unreliable for short files. */
function delimiterOf(content: string): string {
  const first = /^.*\S.*$/m.exec(content)?.[0].replace(/"[^"]*"/g, '') ?? '';
  const count = (delimiter: string) => first.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best));
}

/** A table whose first row names its columns. */
export interface CsvTable {
  readonly titles: readonly string[];
  readonly rows: readonly { readonly line: number; readonly values: ReadonlyMap<string, string> }[];
}

/**
 * Reads a table by the titles of its first row. Two columns with the same title are refused as ambiguous, and so is a row
 * with a value beyond the last column, because its values would be read from the wrong columns. Spreadsheets leave out empty
 * cells at the end of a row, or add some: they are empty in both cases.
 */
export function readTable(text: string): CsvTable {
  const [head, ...rows] = readRows(text);
  requireWidth(rows, head?.cells.length ?? 0);
  const width = [head, ...rows].reduce((widest, row) => Math.max(widest, lengthOf(row?.cells ?? [])), 0);
  const titles = head?.cells.slice(0, width).map((title) => title.trim()) ?? [];
  const twice = titles.find(
    (title, index) => title !== '' && titles.map(plainTitle).indexOf(plainTitle(title)) !== index,
  );
  if (twice !== undefined) throw new CsvError(`Two columns have the title "${twice}".`);
  return {
    titles,
    rows: rows.map(({ line, cells }) => ({
      line,
      values: new Map(titles.map((title, index) => [title, cells[index] ?? ''])),
    })),
  };
}

function requireWidth(rows: readonly CsvRow[], width: number): void {
  const [wrong, ...others] = rows.filter(({ cells }) => lengthOf(cells) > width);
  if (wrong === undefined) return;
  const more =
    others.length === 0 ? '' : ` ${others.length} more ${others.length === 1 ? 'line differs' : 'lines differ'} too.`;
  const advice = 'Put a value with a delimiter into quotation marks, or give its column a title.';
  throw new CsvError(
    `Line ${wrong.line} has ${lengthOf(wrong.cells)} cells, but the first row has ${width}.${more} ${advice}`,
  );
}

/** The number of cells up to the last one with a value. */
function lengthOf(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => !isBlank(cell)) + 1;
}

function isBlank(cell: string): boolean {
  return cell.trim() === '';
}

/** A title in its form for comparison: `User ID`, `user_id` and `userId` are equal. */
export function plainTitle(title: string): string {
  return title.toLowerCase().replace(/[\s_-]/g, '');
}
