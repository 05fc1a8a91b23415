import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DecidedBy } from '#shared/contract/access.ts';
import { accessSchema } from '#shared/contract/access-answers.ts';
import { openExampleFolder } from '../support/example-folder.ts';
import { needing } from '../support/needing.ts';
import { type ProjectFolder, readDocument } from '../support/run-document.ts';

const page = await readDocument('docs/operate/rollout.md');
const transcripts = page.transcripts();
/** The last script asks as an application does, by the signer in bash. */
const [asking, ...byOperators] = [transcripts.at(-1), ...transcripts.slice(0, -1)];

let folder: ProjectFolder;
let close: () => Promise<void>;
let printed: string[];
beforeAll(async () => {
  ({ folder, close } = await openExampleFolder());
  printed = await folder.runEach(byOperators.map(({ script }) => script));
});
afterAll(() => close());

test.each(byOperators.map(({ script, output }, at) => ({ script, output, at })).filter(({ output }) => output !== ''))(
  'the rollout page shows what is printed by $script',
  ({ output, at }) => expect(printed[at]).toBe(output),
);

needing('curl', 'OpenSSL').test('the rollout page shows the answer that the application gets', async () => {
  const [shown = ''] = page.blocks('json');
  const [, answer = ''] = /^(\{.*\})$/m.exec(await folder.run(asking?.script ?? '')) ?? [];
  expect(JSON.parse(answer)).toEqual(JSON.parse(shown));
});

test('the rollout page has each way in which an access is decided', () => {
  const [, table = ''] = page.text.split(/^\| -+ .*$/m);
  const named = [...table.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name as DecidedBy);
  expect(named.sort()).toEqual([...accessSchema.entries.decidedBy.options].sort());
});
