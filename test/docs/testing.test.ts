import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rooms } from '../mutation/rooms.ts';
import { readDocument } from '../support/run-document.ts';

const root = join(import.meta.dirname, '../..');
const page = await readDocument('docs/contribute/testing.md');

test('every path that the testing page names exists', () => {
  const paths = [...page.text.matchAll(/(?<!\/)\btest\/[\w./-]+/g)].map(([path]) => path);
  expect(paths.length).toBeGreaterThan(15);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every test that guards a guarantee exists', () => {
  const { text } = page.section('## Guarantees and their tests');
  const files = [...text.matchAll(/`([\w./{},-]+\.(?:test|e2e)\.ts)`/g)].map(([, file = '']) => join('test', file));
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => globSync(file, { cwd: root }).length === 0)).toEqual([]);
});

test('every file with accepted survivors on the testing page exists', () => {
  const survivors = page.section('### Accepted survivors').text;
  const files = [...survivors.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) =>
    file.startsWith('options/') ? file : `shared/${file}`,
  );
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('every file with accepted survivors of an option exists', () => {
  for (const path of globSync('options/*/mutation.md', { cwd: root })) {
    const text = readFileSync(join(root, path), 'utf8');
    const files = [...text.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => join(root, dirname(path), file));
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  }
});

test('the testing page has the measured score of every room of the core', () => {
  const ofCore = Object.keys(rooms).filter((room) => !existsSync(join(root, 'options', room)));
  for (const room of ofCore) expect(page.text).toMatch(new RegExp(`^\\| \`${room}\` +\\| \\d+ `, 'm'));
});
