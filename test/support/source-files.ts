import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the project. */
export const root = join(import.meta.dirname, '../..');

/** The folders whose TypeScript is the project's own and no test. */
export const sourceFolders = [
  'bin',
  'lib',
  'local',
  'bench',
  'client',
  'cli',
  'dashboard',
  'examples',
  'functions',
  'options',
  'sdk',
  'shared',
  'smoke',
];

/** The files with TypeScript in a folder, without what is built or installed and the tests of options; each as a path from the project's folder. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        /\.tsx?$/.test(name) && !/^(dist|package)\/|^[^/]+\/test\/|(?:^|\/)(?:node_modules|\.next)\//.test(name),
    )
    .map((name) => `${folder}/${name}`);
}

/** Whether a file runs in a browser: the dashboard but for its build, and what options add to it. */
export function isForBrowsers(file: string): boolean {
  return /^(?:dashboard\/(?!build\/|vite\.config)|options\/(?:(?:pages|connection-tabs)\.ts|[^/]+\/dashboard\/))/.test(
    file,
  );
}

/** The pages that people read, sorted; each as a path from the project's folder. */
export function documentPaths(): string[] {
  const ofPackages = ['client/package/*.md', 'cli/package/*.md'];
  const ofFolders = ['docs/**/*.md', 'examples/*.md', 'sdk/*/README.md', 'options/*/README.md', '.github/*.md'];
  return globSync(['*.md', ...ofFolders, ...ofPackages], { cwd: root }).sort();
}

/** The text of a file, which is named by its path from the project's folder. */
export function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
