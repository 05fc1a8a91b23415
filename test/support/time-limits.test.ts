import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const project = join(import.meta.dirname, '../..');
/** A number of milliseconds behind the function of a test or hook, on the same line or on the next. */
const ownLimit = /^\s*\},\s*[\d_]{4,},?\s*\);$/m;

test('no test and no hook has a time limit of its own', () => {
  const files = globSync('test/**/*.test.ts', { cwd: project });
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => ownLimit.test(readFileSync(join(project, file), 'utf8')))).toEqual([]);
});
