import { isUserId } from '#shared/contract/fields.ts';
import { CsvError } from '#shared/csv/read-csv.ts';
import { doubtsOf, namesOf, PeopleError, readPeople } from '#shared/csv/read-people.ts';
import { type CliError, notSent } from '../terminal/cli-error.ts';
import { readText } from '../terminal/read-input.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Finds which of these are the ids of users. */
export type FindUsers = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** The ids in a file, or from standard input for `-`. */
export async function readUsersFile(file: string, terminal: Terminal, findUsers: FindUsers): Promise<string[]> {
  return readUserIds(await readText(file, terminal), file === '-' ? 'standard input' : file, findUsers);
}

/**
 * The distinct ids in a text that `readPeople` reads. One invalid line rejects the whole text, so that a wrong file is never
 * applied in part. Asks for users only if a line could be one id or several.
 */
export async function readUserIds(content: string, source: string, findUsers: FindUsers): Promise<string[]> {
  return refuseMistakes(source, async () => {
    const lines = readPeople(content);
    const mistakes = lines.filter(({ names }) => !names.every(isUserId));
    if (mistakes.length > 0) throw new PeopleError(mistakes);
    const doubts = doubtsOf(lines);
    const users = doubts.length === 0 ? new Set<string>() : await findUsers(doubts);
    return namesOf(lines, (id) => users.has(id));
  });
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
  return notSent(`${source} has lines that are not user ids. Nothing was sent.`, [
    ...lines.slice(0, maxShownMistakes).map(({ line, text }) => `line ${line}: ${JSON.stringify(text)}`),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ]);
}
