import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readDocument } from '../support/run-document.ts';

const root = join(import.meta.dirname, '../..');
const page = await readDocument('docs/dashboard.md');

test('every link and npm script of the dashboard page exists', async () => {
  expect([await page.brokenLinks(), await page.unknownScripts()]).toEqual([[], []]);
});

test('every picture is shown by a document', async () => {
  const paths = globSync(['README.md', 'docs/**/*.md'], { cwd: root });
  const documents = await Promise.all(paths.map((path) => readDocument(path)));
  const pictures = globSync('images/*', { cwd: join(root, 'docs') });
  expect(pictures.length).toBeGreaterThan(4);
  expect(pictures.filter((picture) => !documents.some(({ text }) => text.includes(picture)))).toEqual([]);
});
