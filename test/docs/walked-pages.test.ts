import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decisionIndex } from '../../bin/decision-index.ts';
import { freePort } from '../support/free-port.ts';
import { isInstalled, needing } from '../support/needing.ts';
import { openReader, openStartedReader, type PageReader, type WalkedStep, withoutIds } from '../support/page-reader.ts';
import { readDocument } from '../support/run-document.ts';

/** What a page leaves to the reader: the key that it has issued before. */
const ownKey = { "'<key id>'": `"$(node -p "require('./.local/crm.json').keyId")"` };

/** What asks in each language of the quickstart that `npm ci` does not bring. */
const commands = {
  Python: 'python3 sign.py',
  Go: 'go run sign.go',
  Java: 'java -cp',
  PHP: 'php sign.php',
  Ruby: 'ruby sign.rb',
} as const;
const languages = Object.keys(commands) as (keyof typeof commands)[];

// One after the other beside one `npm start`, as a newcomer reads them: no page needs what it does not say, or disturbs another.
needing('curl', 'OpenSSL').describe('from the README to the first rotation', () => {
  let reader: PageReader;
  beforeAll(async () => {
    reader = await openStartedReader();
  });
  afterAll(() => reader.close());

  test('README.md: Ada gets a role, and is blocked', async () => {
    await reader.walk('README.md');
  });

  const quickstart = 'docs/integrate/quickstart.md';
  let asking: readonly WalkedStep[];

  test(`${quickstart}: the commands of each language that is installed run in their order`, async () => {
    const leftOut = languages.filter((name) => !isInstalled(name)).map((name) => `### ${name}`);
    const steps = await reader.walk(quickstart, { 'PORT=8080': `PORT=${await freePort()}` }, leftOut);
    asking = steps.filter(({ script }) => script.includes('priya'));
    expect(asking).toHaveLength(7 - leftOut.length);
  });

  async function expectAnswer(command: string): Promise<void> {
    const [answer = ''] = (await readDocument(quickstart)).blocks('json');
    const step = asking.find(({ script }) => script.includes(command));
    expect(withoutIds(step?.printed ?? '""')).toEqual(withoutIds(answer));
  }

  test('TypeScript gets the answer that is shown', () => expectAnswer('client.getAccess'));
  test('bash gets it', () => expectAnswer('./sign.sh'));
  for (const name of languages) needing(name).test(`${name} gets it`, () => expectAnswer(commands[name]));

  for (const path of ['docs/integrate/directories.md', 'docs/integrate/gateways.md', 'docs/integrate/logins.md']) {
    test(`the commands of ${path} print what it shows`, async () => {
      const steps = await reader.walk(path);
      expect(steps.filter(({ shown }) => shown).length).toBeGreaterThan(0);
    });
  }

  test('docs/integrate/rotate-a-key.md leads to a new key, and ends the old one', async () => {
    await reader.walk('docs/integrate/rotate-a-key.md', ownKey);
    const keyIn = async (name: string) => JSON.parse(await readFile(join(reader.folder.path, '.local', name), 'utf8'));
    const [old, rotated] = [await keyIn('crm.json'), await keyIn('rotated.json')];
    const listed = JSON.parse(await reader.folder.run('npm run -s manage -- keys list crm --json'));
    const keys: { keyId: string; revokedAt: string | null }[] = listed.items;
    expect(keys.find(({ keyId }) => keyId === old.keyId)?.revokedAt).not.toBeNull();
    expect(keys.find(({ keyId }) => keyId === rotated.keyId)?.revokedAt).toBeNull();
  });
});

describe('beside one service', () => {
  let reader: PageReader;
  beforeAll(async () => {
    reader = await openReader();
  });
  afterAll(() => reader.close());

  for (const path of ['docs/operate/dashboard.md', 'docs/operate/operators.md']) {
    test(`the commands of ${path} run as they are printed`, async () => {
      await reader.walk(path);
    });
  }

  test('docs/operate/privacy.md hands over what is stored of a person, then erases the person', async () => {
    await reader.walk('docs/operate/privacy.md');
    const read = (name: string) => readFile(join(reader.folder.path, name), 'utf8');
    expect(JSON.parse(await read('ada.json'))).toMatchObject({ userId: 'ada' });
    expect(await read('ada-access.json')).toContain('billing');
    expect(await read('ada-history.jsonl')).toContain('user.created');
    expect(await reader.folder.run('npm run -s manage -- users show ada 2>&1 || true')).toContain('user_not_found');
  });
});

test('the index of the decisions has each record with its title', async () => {
  const { text } = await readDocument('docs/decisions/README.md');
  expect(text).toBe(decisionIndex());
});
