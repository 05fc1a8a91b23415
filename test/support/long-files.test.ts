import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { longFiles, longFilesFirst } from './long-files.ts';

const tests = join(import.meta.dirname, '..');

test('the files that take longest start first, and the others keep their order', () => {
  const [first = '', second = ''] = longFiles;
  const given = ['lock-file.test.ts', second, 'architecture.test.ts', first];
  const sorted = longFilesFirst(given.map((file) => ({ path: join(tests, file) })));
  expect(sorted.map(({ path }) => path)).toEqual(
    [first, second, 'lock-file.test.ts', 'architecture.test.ts'].map((file) => join(tests, file)),
  );
});

test('every file that starts first exists', () => {
  expect(longFiles.filter((file) => !existsSync(join(tests, file)))).toEqual([]);
});
