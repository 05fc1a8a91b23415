import { type UserStatus, userStatuses } from '#shared/contract/access.ts';
import { isUserId, type UserId } from '#shared/contract/fields.ts';
import { CsvError, decodeCsv, readTable } from '#shared/csv/read-csv.ts';
import { notSent } from '../terminal/cli-error.ts';

/** A user in the file; a missing column or an empty cell leaves the stored value as it is. */
export interface ImportedUser {
  readonly userId: UserId;
  readonly displayName?: string;
  readonly email?: string;
  readonly status?: UserStatus;
}

const columns = ['userId', 'displayName', 'email', 'status'];
const maxShownMistakes = 10;

/** The users in a file; one mistake rejects the whole file, so that a wrong file is never applied in part. */
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
      return [{ userId, ...textsOf(values), ...(isStatus(status) && { status }) }];
    }
    return [];
  });
  if (mistakes.length === 0) return { users, ignored: titles.filter((title) => !columns.includes(title)) };
  const rest = mistakes.length - maxShownMistakes;
  throw notSent(`${file} has mistakes. Nothing was sent.`, [
    ...mistakes.slice(0, maxShownMistakes),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ]);
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

function textsOf(values: ReadonlyMap<string, string>): Pick<ImportedUser, 'displayName' | 'email'> {
  const [displayName = '', email = ''] = [values.get('displayName'), values.get('email')?.trim()];
  return { ...(displayName.trim() !== '' && { displayName }), ...(email !== '' && { email }) };
}
