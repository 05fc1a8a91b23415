import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');

/** The pages, and the sources whose comments have examples. */
const shown = ['README.md', 'docs/integrate/*.md', 'client/package/*.md', 'client/**/*.ts'];

/** The name under which applications import the SDK: `client/package/package.json` is the only place to change it. */
export function clientName(): string {
  return JSON.parse(readFileSync(join(project, 'client/package/package.json'), 'utf8')).name;
}

/**
 * Documents, and the other files that show how the SDK is imported, by their paths in the project: under this name instead
 * of the one that the files show now.
 */
export function showClientName(name: string, documents: Readonly<Record<string, string>>): Record<string, string> {
  const current = shownName();
  const paths = globSync(shown, { cwd: project, exclude: ['client/package/dist/**'] }).sort();
  const files = paths.map((path) => [path, readFileSync(join(project, path), 'utf8')] as const);
  const showing = files.filter(([path, text]) => text.includes(current) && !(path in documents));
  const texts = [...Object.entries(documents), ...showing];
  return Object.fromEntries(texts.map(([path, text]) => [path, text.replaceAll(current, name)]));
}

/** The title of the package's own page. */
function shownName(): string {
  const [title = ''] = readFileSync(join(project, 'client/package/README.md'), 'utf8').split('\n', 1);
  return title.slice('# '.length);
}
