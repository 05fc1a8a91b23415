import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { userIdSchema } from '#shared/contract/ids.ts';
import { notSent } from './cli-error.ts';
import type { Terminal } from './terminal.ts';

const shownMistakes = 10;

/** The ids of a file, or of standard input for `-`. */
export async function readUsersFile(file: string, { stdin }: Pick<Terminal, 'stdin'>): Promise<string[]> {
  if (file === '-') return readUserIds(await text(stdin), 'standard input');
  try {
    return readUserIds(await readFile(file, 'utf8'), file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw notSent(code === 'ENOENT' ? `There is no file ${file}.` : `Cannot read ${file}: ${message}`);
  }
}

/**
 * One id to a line, each once; blank lines and what follows a `#` are left out. A line that is no id refuses them all:
 * a wrong file shall not take effect in half.
 */
export function readUserIds(content: string, source: string): string[] {
  const lines = content.replace(/^\ufeff/, '').split(/\r?\n/);
  const named = lines.map((line, index) => ({ id: line.replace(/#.*/, '').trim(), number: index + 1 }));
  const ids = named.filter(({ id }) => id !== '');
  const mistakes = ids.filter(({ id }) => !v.is(userIdSchema, id));
  if (mistakes.length === 0) return [...new Set(ids.map(({ id }) => id))];
  const shown = mistakes.slice(0, shownMistakes).map(({ id, number }) => `line ${number}: ${JSON.stringify(id)}`);
  const rest = mistakes.length - shown.length;
  throw notSent(`${source} has lines that are no user ids. Nothing was sent.`, [
    ...shown,
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ]);
}
