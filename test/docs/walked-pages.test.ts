import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decisionIndex } from '../../bin/decision-index.ts';
import { openExampleFolder } from '../support/example-folder.ts';
import { needing } from '../support/needing.ts';
import { type ProjectFolder, readDocument } from '../support/run-document.ts';

let folder: ProjectFolder;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ folder, close } = await openExampleFolder());
});
afterAll(() => close());

const read = async (name: string) => readFile(join(folder.path, name), 'utf8');

/** Runs all commands of a page in their order, and nothing else; an answer must have what the page shows below its command. */
async function walk(path: string): Promise<void> {
  const { text } = await readDocument(path);
  const parts = [...text.matchAll(/^```bash\n(.*?)^```(?:\n\n```json\n(.*?)^```)?/gms)];
  const printed = await folder.runEach(parts.map(([, script = '']) => script));
  const answers = parts.flatMap(([, , shown], at) =>
    shown === undefined ? [] : [[shown, /\{.*\}/s.exec(printed[at] ?? '')?.[0] ?? ''] as const],
  );
  expect(answers.length).toBeGreaterThan(0);
  for (const [shown, answer] of answers) expect(JSON.parse(answer)).toMatchObject(JSON.parse(shown));
}

// One after the other on one service, as somebody does who reads them: no page needs what it does not say, or disturbs another.
for (const path of ['docs/integrate/directories.md', 'docs/integrate/gateways.md', 'docs/integrate/logins.md']) {
  needing('curl').test(`the commands of ${path} run as they are printed, and get the answers that are shown`, () =>
    walk(path),
  );
}

test('the page on rotating a key leads to a new key, and ends the old one', async () => {
  const page = await readDocument('docs/integrate/rotate-a-key.md');
  const [issue = '', ...others] = page.transcripts().map(({ script }) => script);
  await folder.runEach([issue]);
  const { keyId } = JSON.parse(await read('.local/crm.json'));
  await folder.runEach(others.map((script) => script.replaceAll('<key id>', keyId)));
  const rotated = JSON.parse(await read('.local/rotated.json'));
  const [listed = ''] = await folder.runEach(['npm run -s manage -- keys list crm --json']);
  const keys: { keyId: string; revokedAt: string | null }[] = JSON.parse(listed).items;
  expect(keys.find((key) => key.keyId === keyId)?.revokedAt).not.toBeNull();
  expect(keys.find((key) => key.keyId === rotated.keyId)?.revokedAt).toBeNull();
});

test('the page on privacy hands over what is stored of a person, then erases the person', async () => {
  const page = await readDocument('docs/operate/privacy.md');
  const [handOver = '', erase = ''] = page.transcripts().map(({ script }) => script);
  await folder.runEach([handOver]);
  expect(JSON.parse(await read('ada.json'))).toMatchObject({ userId: 'ada' });
  expect(await read('ada-access.json')).toContain('billing');
  expect(await read('ada-history.jsonl')).toContain('user.created');
  await folder.runEach([erase]);
  const [found = ''] = await folder.runEach(['npm run -s manage -- users show ada 2>&1 || true']);
  expect(found).toContain('user_not_found');
});

test('the index of the decisions has each record with its title', async () => {
  const { text } = await readDocument('docs/decisions/README.md');
  expect(text).toBe(decisionIndex());
});
