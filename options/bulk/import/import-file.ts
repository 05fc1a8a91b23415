import * as v from 'valibot';
import { bytesOf, maxBatchBytes } from '#shared/contract/bulk.ts';
import { fieldNames } from '#shared/contract/field-forms.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import { type ImportRow, readImportTable } from '#shared/csv/import-table.ts';
import { CsvError, plainTitle } from '#shared/csv/read-csv.ts';
import { groupBy } from '#shared/integrity/group-by.ts';
import type { ImportedUser, ImportProblem } from '../contract/user-import.ts';
import {
  columnsOfUsers,
  type ImportCells,
  type ImportColumn,
  importColumns,
  mergeRows,
  readImportRow,
} from './import-rows.ts';
import { problemTitle, type RejectedRow, writeRejectedRows } from './rejected-rows.ts';

/** A file of users to import. */
export interface ImportFile {
  /** The users without a problem, by id. */
  readonly users: ReadonlyMap<string, ImportedUser>;
  readonly rowCount: number;
  /** Whether it may create users. */
  readonly creates: boolean;
  /** The titles of columns that an import does not know. */
  readonly ignored: readonly string[];
  /** The extension of such a file. */
  readonly extension: 'csv' | 'jsonl';
  /** The rows with a problem of their own, and those of users with problems, by id. */
  readonly rejectedRows: (problemsOfUsers?: ReadonlyMap<string, readonly ImportProblem[]>) => readonly RejectedRow[];
  readonly userIdOf: (row: ImportRow) => string;
  /** A file of the same kind with these rows and their problems, which can be imported once it is corrected. */
  readonly write: (rows: readonly RejectedRow[]) => string;
}

/**
 * Reads CSV or JSON Lines. Several rows of one user are one user, who is rejected as a whole if one of them is. Throws a
 * CsvError if the file cannot be read at all.
 */
export function readImportFile(bytes: Uint8Array): ImportFile {
  const table = readImportTable(bytes);
  const { titles, rows, extension } = table;
  const columns = new Map(titles.flatMap(columnOf));
  if (![...columns.values()].includes('userId')) throw new CsvError('There is no column userId.');
  const groups = groupBy(
    rows.map((row) => readRow(row, columns)),
    ({ userId }) => userId,
  );
  const merged = [...groups].map(([userId, group]) => [userId, mergeGroup(group)] as const);
  const users = new Map(merged.flatMap(([userId, user]) => ('problems' in user ? [] : [[userId, user] as const])));
  const problems = new Map(merged.flatMap(([, user]) => ('problems' in user ? [...user.problems] : [])));
  return {
    users,
    rowCount: rows.length,
    creates: canCreate([...columns.values()]),
    ignored: titles.filter((title) => !columns.has(title) && title !== problemTitle),
    extension,
    rejectedRows: (problemsOfUsers) =>
      rows.flatMap((row) => {
        const problem = problems.get(row) ?? problemOfRow(cellsOf(row, columns), problemsOfUsers);
        return problem === undefined ? [] : [{ ...row, problem }];
      }),
    userIdOf: (row) => cellsOf(row, columns).get('userId') ?? '',
    write: (rejected) => writeRejectedRows(table, rejected),
  };
}

const ofOtherRow = 'another row of this user has a problem';

/** The problems that the service found in this row of a user. */
function problemOfRow(cells: ImportCells, problemsOfUsers?: ReadonlyMap<string, readonly ImportProblem[]>) {
  const problems = problemsOfUsers?.get(cells.get('userId') ?? '');
  const ofRow = problems?.filter(
    ({ appId, role }) =>
      appId === undefined || (appId === cells.get('application') && [undefined, cells.get('role')].includes(role)),
  );
  return ofRow?.length === 0 ? ofOtherRow : ofRow?.map(({ detail }) => detail).join(' ');
}

/** In a file with only accesses and roles, an unknown user is probably a mistake. */
function canCreate(columns: readonly ImportColumn[]): boolean {
  return !columns.includes('application') || columns.some((column) => columnsOfUsers.includes(column));
}

/** What a row says about its user, or its problem. */
interface ReadRow {
  readonly row: ImportRow;
  readonly userId: string;
  readonly read: ImportedUser | string;
}

function readRow(row: ImportRow, columns: ReadonlyMap<string, ImportColumn>): ReadRow {
  const wrong = [...row.cells].find(
    ([title, value]) => columns.has(title) && value !== null && typeof value !== 'string',
  );
  const cells = cellsOf(row, columns);
  const userId = cells.get('userId') ?? '';
  return { row, userId, read: wrong === undefined ? readImportRow(cells) : `${wrong[0]} must be a string or null` };
}

/** The user of some rows, or the problem of each row. */
function mergeGroup(group: readonly ReadRow[]): ImportedUser | { readonly problems: Iterable<[ImportRow, string]> } {
  const problems = new Map<ImportRow, string>();
  let user: ImportedUser | undefined;
  for (const { row, read } of group) {
    const next = typeof read === 'string' || user === undefined ? read : mergeRows(user, read);
    if (typeof next === 'string') problems.set(row, next);
    else user = next;
  }
  if (user !== undefined && problems.size === 0) {
    if (bytesOf(user) <= maxBatchBytes) return user;
    for (const { row } of group)
      problems.set(row, 'this user has too many accesses and roles: divide them into two files');
  }
  return {
    problems: group.map(({ row }) => [row, problems.get(row) ?? ofOtherRow]),
  };
}

/** `User ID`, `user_id` and `userId` are the same column. */
function columnOf(title: string): [title: string, column: ImportColumn][] {
  return importColumns.flatMap((column) => (plainTitle(column) === plainTitle(title) ? [[title, column]] : []));
}

const clearable: readonly string[] = [...fieldNames(userFields), 'accessUntil', 'roleUntil'];

/** Without empty cells. `null` clears a field or a time; elsewhere it means the same as an empty cell. */
function cellsOf({ cells }: ImportRow, columns: ReadonlyMap<string, ImportColumn>): ImportCells {
  const read = new Map<ImportColumn, string | null>();
  for (const [title, value] of cells) {
    const column = columns.get(title);
    if (column === undefined) continue;
    if (value === null && clearable.includes(column)) read.set(column, null);
    if (typeof value === 'string' && value.trim() !== '') read.set(column, trimmed(column, value));
  }
  return read;
}

/** Spaces around a value are dropped only where the field does not accept them, and ends of lines after it always. */
function trimmed(column: ImportColumn, value: string): string {
  const text = value.replace(/[\r\n]+$/, '');
  const field = column in userFields ? userFields[column as keyof typeof userFields] : undefined;
  return field !== undefined && v.is(field.input, text) ? text : text.trim();
}
