import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openExampleFolder } from '../support/example-folder.ts';
import { type ProjectFolder, readDocument } from '../support/run-document.ts';

const page = await readDocument('docs/operate/migrate.md');
const transcripts = page.transcripts();

let folder: ProjectFolder;
let close: () => Promise<void>;
let printed: string[];
beforeAll(async () => {
  ({ folder, close } = await openExampleFolder());
  printed = await folder.runEach(transcripts.map(({ script }) => script));
});
afterAll(() => close());

test.each(transcripts.map(({ script, output }, at) => ({ script, output, at })).filter(({ output }) => output !== ''))(
  'the page on moving users shows what is printed by $script',
  ({ output, at }) => expect(printed[at]).toBe(output),
);

test('the page names the problem of the rejected row', async () => {
  const rejected = await readFile(join(folder.path, '.local/people.rejected.csv'), 'utf8');
  const [, problem = ''] = /with its problem: `(.+?)`/.exec(page.text) ?? [];
  expect(rejected).toContain(problem.replaceAll('"', '""'));
});
