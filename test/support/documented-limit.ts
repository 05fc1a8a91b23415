import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The row of `docs/limits.md` that begins with these words, without its code marks; empty if there is none. */
export function documentedLimit(what: string): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/limits.md'), 'utf8');
  const row = page.split('\n').find((line) => line.startsWith(`| ${what}`)) ?? '';
  return row.replaceAll('`', '');
}
