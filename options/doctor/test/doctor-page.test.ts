import { expect } from '@jest/globals';
import { needing } from '#test/support/needing.ts';
import { readDocument, runScripts } from '#test/support/run-document.ts';

const page = await readDocument('options/doctor/README.md');

needing('OpenSSL').test('the example of the page prints what is shown', async () => {
  const transcripts = page.transcripts();
  expect(transcripts).toHaveLength(1);
  expect(await runScripts(transcripts.map(({ script }) => script))).toEqual(transcripts.map(({ output }) => output));
});
