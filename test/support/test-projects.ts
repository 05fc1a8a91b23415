import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const project = join(import.meta.dirname, '../..');
const importedFile = /from '(\.{1,2}\/[^']+)'/g;
const needsStack = /process\.env\.TEST_(?:ASSEMBLY|SYNTHESIS)/;

type Project = 'pure' | 'service' | 'stack';

/**
 * Returns the test files by Jest project: `stack` has those in `test/stack`, `service` the others that need a
 * synthesized stack, directly or through an imported test file, and `pure` the rest.
 */
export function sortTests(): Readonly<Record<Project, readonly string[]>> {
  const projects: Record<Project, string[]> = { pure: [], service: [], stack: [] };
  for (const path of globSync('test/**/*.test.ts', { cwd: project }).sort()) projects[projectOf(path)].push(path);
  return projects;
}

function projectOf(path: string): Project {
  if (path.startsWith('test/stack/')) return 'stack';
  return reachesStack(join(project, path)) ? 'service' : 'pure';
}

function reachesStack(path: string, seen = new Set<string>()): boolean {
  if (seen.has(path) || !existsSync(path)) return false;
  seen.add(path);
  const source = readFileSync(path, 'utf8');
  if (needsStack.test(source)) return true;
  const imported = [...source.matchAll(importedFile)].map(([, target = '']) => join(dirname(path), target));
  return imported.some((target) => isOfTests(target) && reachesStack(target, seen));
}

function isOfTests(path: string): boolean {
  return relative(project, path).startsWith('test/');
}
