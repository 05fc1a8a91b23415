import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');

/** The lines of an exported function, as Stryker takes them: `<file>:<first>-<last>`. */
export function functionLines(file: string, name: string): string {
  const lines = readFileSync(join(project, file), 'utf8').split('\n');
  const first = lines.findIndex((line) => line.startsWith(`export function ${name}(`));
  if (first === -1) throw new Error(`${file} has no function ${name}`);
  return `${file}:${first + 1}-${lines.indexOf('}', first) + 1}`;
}
