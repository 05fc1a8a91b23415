import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { LinkBreak } from '#shared/integrity/chain-breaks.ts';
import { eventually } from '#test/support/eventually.ts';
import { serveHeadsStore } from '#test/support/heads-store.ts';
import { openReader, type PageReader } from '#test/support/page-reader.ts';
import { type ProjectFolder, readDocument } from '#test/support/run-document.ts';

const page = await readDocument('docs/operate/tamper-evidence.md');

let reader: PageReader;
let folder: ProjectFolder;
beforeAll(async () => {
  reader = await openReader();
  folder = reader.folder;
});
afterAll(() => reader.close());

/** The global history follows within seconds. */
async function waitForHistory(): Promise<void> {
  const ask = async () => JSON.parse(await folder.run('npm run -s manage -- history --limit 100 --json'));
  await eventually(ask, ({ items }) => items.length === changesOfExample);
}

/** As the page shows it. */
const changesOfExample = Number(/Verified (\d+) changes/.exec(page.text)?.[1]);

test('the commands of the page about tamper evidence print what it shows', async () => {
  await waitForHistory();
  await storeHeads();
  await reader.walk('docs/operate/tamper-evidence.md');
});

test('the commands for an auditor write an archive and verify it, with all changes of the example', async () => {
  await waitForHistory();
  const [, commands = ''] = /```sh\n(npm run -s manage -- history --since[^`]*)```/.exec(page.text) ?? [];
  const [written, verified] = await folder.runEach(commands.replace('--by edith ', '').trim().split('\n'));
  expect(written).toMatch(/^Exported \d+ changes and their verification to audit\.zip\.$/m);
  expect(verified).toContain(`changes.csv says the same as the changes.\nVerified ${changesOfExample} changes`);
});

/** In place of the page's commands for AWS: signs the heads of the example as the function does, and places their files. */
async function storeHeads(): Promise<void> {
  const bucket = await serveHeadsStore();
  const { newHeadsRun, signAllHeads } = await import('../heads-run.ts');
  await signAllHeads(newHeadsRun(), { endsAt: Number.POSITIVE_INFINITY });
  await bucket.stop();
  await mkdir(join(folder.path, 'heads'));
  for (const [name, text] of bucket.store.objects) await writeFile(join(folder.path, 'heads', basename(name)), text);
  await writeFile(join(folder.path, 'heads-key.txt'), bucket.store.publicKey);
}

test('the page about tamper evidence explains every break', () => {
  const links: Record<LinkBreak, true> = {
    'missing-before': true,
    'two-successors': true,
    'begins-again': true,
    'without-mac': true,
  };
  const named = [...page.section('## Verify an export').text.matchAll(/^\| `([a-z-]+)`/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(
    ['before-differs', 'changed', 'not-in-archive', 'not-in-export', 'unknown-root', ...Object.keys(links)].sort(),
  );
});
