import * as v from 'valibot';
import { type UserStatus, userStatuses } from '#shared/contract/access.ts';
import { isUserId, type UserId, userIdSchema } from '#shared/contract/fields.ts';
import { type FieldChanges, fieldNames, userFields } from '#shared/contract/resource-fields.ts';
import { CsvError, decodeCsv, readTable } from '#shared/csv/read-csv.ts';
import { type CliError, notSent } from '../terminal/cli-error.ts';
import { readText } from '../terminal/read-input.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The ids in a file, or from standard input for `-`. */
export async function readUsersFile(file: string, terminal: Terminal): Promise<string[]> {
  return readUserIds(await readText(file, terminal), file === '-' ? 'standard input' : file);
}

/**
 * The ids in a text, one per line, without duplicates, blank lines and comments (`#`). One invalid line rejects the whole
 * text, so that a wrong file is never applied in part.
 */
export function readUserIds(content: string, source: string): string[] {
  const lines = content.replace(/^\ufeff/, '').split(/\r?\n/);
  const named = lines.map((line, index) => ({ id: line.replace(/#.*/, '').trim(), number: index + 1 }));
  const ids = named.filter(({ id }) => id !== '');
  const mistakes = ids.filter(({ id }) => !v.is(userIdSchema, id));
  if (mistakes.length === 0) return [...new Set(ids.map(({ id }) => id))];
  throw invalidFile(
    `${source} has lines that are not user ids. Nothing was sent.`,
    mistakes.map(({ id, number }) => `line ${number}: ${JSON.stringify(id)}`),
  );
}

/** A user to import; a missing column or an empty cell leaves the stored value as it is. */
export interface ImportedUser extends FieldChanges<typeof userFields> {
  readonly userId: UserId;
  readonly status?: UserStatus;
}

/** The titles of the columns that an import reads. */
export const importedColumns: readonly string[] = ['userId', ...fieldNames(userFields), 'status'];

/** The users in a CSV file and the titles of its other columns; one mistake rejects the whole file. */
export function readImportedUsers(
  bytes: Uint8Array,
  file: string,
): { users: ImportedUser[]; ignored: readonly string[] } {
  const { titles, rows } = parse(bytes, file);
  if (!titles.includes('userId')) throw notSent(`${file} has no column userId.`);
  const mistakes: string[] = [];
  const seen = new Set<string>();
  const users = rows.flatMap(({ line, values }) => {
    const userId = values.get('userId')?.trim() ?? '';
    const status = values.get('status')?.trim() ?? '';
    if (!isUserId(userId)) mistakes.push(`line ${line}: ${JSON.stringify(userId)} is not a valid user id`);
    else if (seen.has(userId)) mistakes.push(`line ${line}: duplicate user id ${userId}`);
    else if (status !== '' && !isStatus(status))
      mistakes.push(`line ${line}: status must be "active" or "inactive", or empty`);
    else {
      seen.add(userId);
      return [{ userId, ...fieldsOf(values), ...(isStatus(status) && { status }) }];
    }
    return [];
  });
  if (mistakes.length > 0) throw invalidFile(`${file} has mistakes. Nothing was sent.`, mistakes);
  return { users, ignored: titles.filter((title) => !importedColumns.includes(title)) };
}

function parse(bytes: Uint8Array, file: string) {
  try {
    return readTable(decodeCsv(bytes));
  } catch (error) {
    if (error instanceof CsvError) throw notSent(`${file}: ${error.message}`);
    throw error;
  }
}

function isStatus(text: string): text is UserStatus {
  return (userStatuses as readonly string[]).includes(text);
}

/** Spaces around a value are dropped only where the field does not accept them. */
function fieldsOf(values: ReadonlyMap<string, string>): FieldChanges<typeof userFields> {
  const cells = fieldNames(userFields).flatMap((name) => {
    const cell = values.get(name) ?? '';
    if (cell.trim() === '') return [];
    const isAccepted: boolean = v.is(userFields[name].input, cell);
    return [[name, isAccepted ? cell : cell.trim()]];
  });
  return Object.fromEntries(cells);
}

const maxShownMistakes = 10;

function invalidFile(message: string, mistakes: readonly string[]): CliError {
  const rest = mistakes.length - maxShownMistakes;
  return notSent(message, [...mistakes.slice(0, maxShownMistakes), ...(rest > 0 ? [`and ${rest} more`] : [])]);
}
