import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openReader, type PageReader } from '../support/page-reader.ts';
import { readDocument } from '../support/run-document.ts';

const page = await readDocument('docs/operate/migrate.md');

let reader: PageReader;
beforeAll(async () => {
  reader = await openReader();
});
afterAll(() => reader.close());

test('the commands of the page on moving users print what it shows', async () => {
  await reader.walk('docs/operate/migrate.md');
});

test('the page names the problem of the rejected row', async () => {
  const rejected = await readFile(join(reader.folder.path, '.local/people.rejected.csv'), 'utf8');
  const [, problem = ''] = /with its problem: `(.+?)`/.exec(page.text) ?? [];
  expect(rejected).toContain(problem.replaceAll('"', '""'));
});
