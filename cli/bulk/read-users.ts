import { isUserId } from '#shared/contract/fields.ts';
import { maxSearchLength } from '#shared/contract/user.ts';
import { CsvError } from '#shared/csv/read-csv.ts';
import { doubtsOf, namesOf, PeopleError, type PeopleLine, readPeople } from '#shared/csv/read-people.ts';
import { type CliError, notSent } from '../terminal/cli-error.ts';
import { readText } from '../terminal/read-input.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Finds the ids of the users who have these ids or e-mail addresses, by what was asked. */
export type FindUsers = (names: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;

/** The ids of the users in a file, or from standard input for `-`. */
export async function readUsersFile(file: string, terminal: Terminal, findUsers: FindUsers): Promise<string[]> {
  return readUserIds(await readText(file, terminal), file === '-' ? 'standard input' : file, findUsers);
}

/**
 * The distinct ids of the users in a text that `readPeople` reads. One line that names no user, or several, rejects the whole text,
 * so that a wrong file is never applied in part. Asks for users only if a line could be one id or several, or has an e-mail address.
 */
export async function readUserIds(content: string, source: string, findUsers: FindUsers): Promise<string[]> {
  return refuseMistakes(source, async () => {
    const lines = readPeople(content);
    const isName = (name: string) => isUserId(name) || isAddress(name);
    requireNone(lines.filter(({ names }) => !names.every(isName)));
    const asked = [...new Set([...doubtsOf(lines), ...lines.flatMap(({ names }) => names.filter(isAddress))])];
    const users: Awaited<ReturnType<FindUsers>> = asked.length === 0 ? new Map() : await findUsers(asked);
    const isUser = (id: string) => users.get(id)?.includes(id) === true;
    const idOf = (name: string) => {
      const [id = name, ...others] = users.get(name) ?? [];
      return others.length === 0 && isUserId(id) ? id : undefined;
    };
    requireNone(lines.filter(({ names }) => !names.every((name) => idOf(name) !== undefined)));
    return [...new Set(namesOf(lines, isUser).map((name) => (isUser(name) ? name : (idOf(name) ?? name))))];
  });
}

/** An e-mail address can be an id too. */
function isAddress(name: string): boolean {
  return name.includes('@') && name.length <= maxSearchLength;
}

function requireNone(mistakes: readonly PeopleLine[]): void {
  if (mistakes.length > 0) throw new PeopleError(mistakes);
}

async function refuseMistakes<Read>(source: string, read: () => Promise<Read>): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PeopleError) throw invalidFile(source, error.lines);
    if (error instanceof CsvError) throw notSent(`${source}: ${error.message} Nothing was sent.`);
    throw error;
  }
}

const maxShownMistakes = 10;

function invalidFile(source: string, lines: PeopleError['lines']): CliError {
  const rest = lines.length - maxShownMistakes;
  return notSent(
    `${source} has lines that are neither user ids nor the e-mail address of one user. Nothing was sent.`,
    [
      ...lines.slice(0, maxShownMistakes).map(({ line, text }) => `line ${line}: ${JSON.stringify(text)}`),
      ...(rest > 0 ? [`and ${rest} more`] : []),
    ],
  );
}
