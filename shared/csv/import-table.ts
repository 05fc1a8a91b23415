import { CsvError, decodeCsv, lineEnd, readTable, withoutMark } from './read-csv.ts';

/** A row as it is in the file. */
export interface ImportRow {
  /** From 1. */
  readonly line: number;
  readonly cells: ReadonlyMap<string, unknown>;
}

/** A file of rows with named cells: CSV, or JSON Lines with one object per row. */
export interface ImportTable {
  /** Of all rows. */
  readonly titles: readonly string[];
  readonly rows: readonly ImportRow[];
  /** The extension of such a file. */
  readonly extension: 'csv' | 'jsonl';
}

/** Reads CSV, or JSON Lines if the file begins with `{`. Throws a CsvError if that is not possible. */
export function readImportTable(bytes: Uint8Array): ImportTable {
  const text = decodeCsv(bytes);
  if (/^\uFEFF?\s*\{/.test(text)) return readJsonLines(text);
  const { titles, rows } = readTable(text);
  return { titles, rows: rows.map(({ line, values }) => ({ line, cells: values })), extension: 'csv' };
}

function readJsonLines(text: string): ImportTable {
  const lines = withoutMark(text).split(lineEnd);
  const rows = lines.flatMap((content, index) => (content.trim() === '' ? [] : readLine(content, index + 1)));
  const titles = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))];
  return { titles, rows, extension: 'jsonl' };
}

function readLine(content: string, line: number): ImportRow {
  const parsed = parse(content);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new CsvError(`Line ${line} is not a JSON object.`);
  }
  return { line, cells: new Map(Object.entries(parsed)) };
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
