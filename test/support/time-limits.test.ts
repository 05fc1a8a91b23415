import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testFiles } from './test-projects.ts';

const project = join(import.meta.dirname, '../..');
/** Matches a number of milliseconds after the function of a test or hook, on the same or the next line. */
const ownLimit = /^\s*\},\s*[\d_]{4,},?\s*\);$/m;

test('no test or hook has its own time limit', () => {
  const files = globSync([...testFiles, 'test/e2e/**/*.e2e.ts'], { cwd: project });
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => ownLimit.test(readFileSync(join(project, file), 'utf8')))).toEqual([]);
});
