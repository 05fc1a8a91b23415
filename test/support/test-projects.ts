import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const project = join(import.meta.dirname, '../..');
const importedTestFile = /from '(?:#(test\/[^']+)|(\.{1,2}\/[^']+))'/g;
/** All test files: those of the core, and of each option in its folder. */
export const testFiles = ['test/**/*.test.ts', 'options/*/test/**/*.test.ts'];
const needsStack = /process\.env\.TEST_(?:ASSEMBLY|SYNTHESIS)/;

type Project = 'pure' | 'service' | 'stack';

/**
 * Returns the test files by Jest project: `stack` has those in folders `test/stack`, `service` the others that need a
 * synthesized stack, directly or through an imported test file, and `pure` the rest.
 */
export function sortTests(): Readonly<Record<Project, readonly string[]>> {
  const projects: Record<Project, string[]> = { pure: [], service: [], stack: [] };
  for (const path of globSync(testFiles, { cwd: project }).sort()) projects[projectOf(path)].push(path);
  return projects;
}

function projectOf(path: string): Project {
  if (path.includes('test/stack/')) return 'stack';
  return reachesStack(join(project, path)) ? 'service' : 'pure';
}

function reachesStack(path: string, seen = new Set<string>()): boolean {
  if (seen.has(path) || !existsSync(path)) return false;
  seen.add(path);
  const source = readFileSync(path, 'utf8');
  if (needsStack.test(source)) return true;
  const imported = [...source.matchAll(importedTestFile)].map(([, ofRoot, neighbour = '']) =>
    ofRoot === undefined ? join(dirname(path), neighbour) : join(project, ofRoot),
  );
  return imported.some((target) => isOfTests(target) && reachesStack(target, seen));
}

function isOfTests(path: string): boolean {
  return /^(?:options\/[^/]+\/)?test\//.test(relative(project, path));
}
