import * as v from 'valibot';
import { userIdSchema } from '#shared/contract/fields.ts';
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

const maxShownMistakes = 10;

function invalidFile(message: string, mistakes: readonly string[]): CliError {
  const rest = mistakes.length - maxShownMistakes;
  return notSent(message, [...mistakes.slice(0, maxShownMistakes), ...(rest > 0 ? [`and ${rest} more`] : [])]);
}
