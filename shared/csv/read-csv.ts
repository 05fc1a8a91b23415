import Papa from 'papaparse';
import { byteOrderMark, formulaBeginning } from './write-csv.ts';

/** What is wrong with a file or a text, for people. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

/** The text of a file; refuses one that is not UTF-8, as Excel's "Unicode text" is UTF-16. */
export function decodeCsv(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Said below.
  }
  throw new CsvError('The file is not UTF-8 text. Save it as "CSV UTF-8".');
}

/** A row of a table in a file. */
export interface CsvRow {
  /** Of the row in the file, from 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** The rows that are not empty, divided by comma, semicolon or tab, without what `createCsv` adds for spreadsheets. */
export function readRows(text: string): CsvRow[] {
  const content = text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
  const { data, errors } = Papa.parse<string[]>(content, { delimiter: delimiterOf(content) });
  const [wrong] = errors;
  if (wrong !== undefined) throw new CsvError(`Row ${(wrong.row ?? 0) + 1} has quotation marks that do not match.`);
  return data
    .map((cells, index) => ({ number: index + 1, cells: cells.map(withoutApostrophe) }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

/** The one that divides the first row most; the library's own guess is misled by short files. */
function delimiterOf(content: string): string {
  const first = /^.*\S.*$/m.exec(content)?.[0].replace(/"[^"]*"/g, '') ?? '';
  const count = (delimiter: string) => first.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best));
}

function withoutApostrophe(cell: string): string {
  return cell.startsWith("'") && formulaBeginning.test(cell) ? cell.slice(1) : cell;
}

/** A table whose first row names its columns. */
export interface CsvTable {
  readonly titles: readonly string[];
  readonly rows: readonly { readonly number: number; readonly values: ReadonlyMap<string, string> }[];
}

/** Reads a table by the titles of its first row; two columns of one title are refused, as each could be meant. */
export function readTable(text: string): CsvTable {
  const [head, ...rows] = readRows(text);
  const titles = head?.cells.map((title) => title.trim()) ?? [];
  const twice = titles.find((title, index) => title !== '' && titles.map(plain).indexOf(plain(title)) !== index);
  if (twice !== undefined) throw new CsvError(`Two columns have the title "${twice}".`);
  return {
    titles,
    rows: rows.map(({ number, cells }) => ({
      number,
      values: new Map(titles.map((title, index) => [title, cells[index] ?? ''])),
    })),
  };
}

const idTitles = ['userid', 'user', 'id'];
const emailTitles = ['email', 'emailaddress', 'mail'];

/**
 * The user ids or e-mail addresses in a text, each once: one a line, or the column of a table whose title says so, ids first.
 * Without such a title it is the first column.
 */
export function readNames(text: string): string[] {
  const [first] = readRows(text);
  const columns = titled(first?.cells.map(plain) ?? []);
  const cells =
    columns.length === 0
      ? readRows(text).map((row) => row.cells[0] ?? '')
      : readTable(text)
          .rows.map(({ values }) => [...values.values()])
          .map((row) => firstOf(row, columns));
  return [...new Set(cells.map((cell) => cell.trim()).filter((name) => name !== ''))];
}

/** Where ids and e-mail addresses are; an id alone is looked for where it is not empty. */
function titled(titles: readonly string[]): number[] {
  return [idTitles, emailTitles]
    .map((known) => titles.findIndex((title) => known.includes(title)))
    .filter((at) => at >= 0);
}

function firstOf(row: readonly string[], columns: readonly number[]): string {
  return columns.map((column) => row[column] ?? '').find((cell) => cell.trim() !== '') ?? '';
}

/** A title as it is compared: `User ID`, `user_id` and `userId` are one. */
function plain(title: string): string {
  return title.toLowerCase().replace(/[\s_-]/g, '');
}
