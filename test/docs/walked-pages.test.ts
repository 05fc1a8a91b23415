import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decisionIndex } from '../../bin/decision-index.ts';
import { openExampleFolder } from '../support/example-folder.ts';
import { type ProjectFolder, readDocument } from '../support/run-document.ts';

let folder: ProjectFolder;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ folder, close } = await openExampleFolder());
});
afterAll(() => close());

const read = async (name: string) => readFile(join(folder.path, name), 'utf8');

test('the page on rotating a key leads to a new key, and ends the old one', async () => {
  const { keyId } = JSON.parse(await read('.local/example.json'));
  const page = await readDocument('docs/integrate/rotate-a-key.md');
  const typed = page.transcripts().map(({ script }) => script.replaceAll('<key id>', keyId));
  await folder.runEach(typed);
  const rotated = JSON.parse(await read('.local/rotated.json'));
  const [listed = ''] = await folder.runEach(['npm run -s manage -- keys list billing --json']);
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
