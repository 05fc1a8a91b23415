import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');

/** The documents, and the sources with examples in their comments. */
const shown = ['README.md', 'docs/integrate/*.md', 'client/package/*.md', 'client/**/*.ts'];

/** The name under which applications import the SDK. To change it, change only `client/package/package.json`. */
export function clientName(): string {
  return JSON.parse(readFileSync(join(project, 'client/package/package.json'), 'utf8')).name;
}

/**
 * Renames the SDK in these documents and in the other files that show how it is imported; returns all of them by their paths in
 * the project.
 */
export function showClientName(name: string, documents: Readonly<Record<string, string>>): Record<string, string> {
  const current = shownName();
  const paths = globSync(shown, { cwd: project, exclude: ['client/package/dist/**'] }).sort();
  const files = paths.map((path) => [path, readFileSync(join(project, path), 'utf8')] as const);
  const showing = files.filter(([path, text]) => text.includes(current) && !(path in documents));
  const texts = [...Object.entries(documents), ...showing];
  return Object.fromEntries(texts.map(([path, text]) => [path, text.replaceAll(current, name)]));
}

/** The name that the files show now: the title of the package's README. */
function shownName(): string {
  const [title = ''] = readFileSync(join(project, 'client/package/README.md'), 'utf8').split('\n', 1);
  return title.slice('# '.length);
}
