import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../docs/decisions');

const introduction = `# Decisions

Each record says what was decided, why, what it costs, and what was rejected.
`;

/** Returns the index of the decision records: a line for each, with its title. */
export function decisionIndex(): string {
  const lines = readdirSync(folder)
    .filter((name) => /^\d{4}-/.test(name))
    .sort()
    .map((name) => `- [${titleOf(name)}](${name})`);
  return `${introduction}\n${lines.join('\n')}\n`;
}

function titleOf(name: string): string {
  const [, title] = /^# (\d{4} · .+)\n/.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
  if (title === undefined || !title.startsWith(name.slice(0, 4)))
    throw new Error(`${name} does not begin with its number`);
  return title;
}
