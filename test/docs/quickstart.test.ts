import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildClient } from '../../client/build/build-client.ts';
import { readClientPackage } from '../../client/build/client-package.ts';
import { openProjectFolder, type ProjectFolder, readDocument } from '../support/run-document.ts';
import { startBundles, type TestService } from '../support/start-service.ts';

const page = await readDocument('docs/quickstart.md');

let service: TestService;
let folder: ProjectFolder;
beforeAll(async () => {
  service = await startBundles();
  folder = await openProjectFolder(service);
  await buildClient(join(folder.path, 'client/package'));
});
afterAll(async () => {
  await folder.remove();
  await service.stop();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

test('every language of the quickstart gets the answer that is shown', async () => {
  const [start = '', sdk = ''] = page.blocks('bash');
  const [enter = '', ...asking] = page.section('## Other languages').blocks('bash');
  expect(sdk).toContain(`from '${readClientPackage().name}'`);
  expect(asking.map((script) => script.match(/sign\.\w+|Sign\.java/)?.[0])).toEqual([
    'sign.sh',
    'sign.py',
    'sign.go',
    'Sign.java',
    'sign.php',
    'sign.rb',
  ]);
  const [, , ...answers] = await folder.runEach([start, enter, sdk, ...asking]);
  const [shown = ''] = page.blocks('json');
  for (const answer of answers) expect(JSON.parse(answer)).toEqual(JSON.parse(shown));
}, 180_000);

test('the other calls of the quickstart are accepted', async () => {
  const [start = ''] = page.blocks('bash');
  const [enter = ''] = page.section('## Other languages').blocks('bash');
  const [calls = ''] = page.section('## The other calls').blocks('bash');
  const [, , ...answers] = await folder.runEach([start, enter, ...calls.trim().split('\n')]);
  expect(answers.map((answer) => JSON.parse(answer))).toMatchObject([
    { userId: 'auth0|123', status: 'disabled', reason: 'left the team', changed: true },
    { userId: 'auth0|123', roles: [{ name: 'editor' }], changed: true },
    { userId: 'auth0|123', roles: [], changed: true },
  ]);
});

test('the guarded server of the quickstart lets a user in, and no longer once an operator has blocked the user', async () => {
  const [start = ''] = page.blocks('bash');
  const section = page.section('## A guarded server');
  const port = String(await freePort());
  const [write = '', ...asking] = section.blocks('bash').map((script) => script.replaceAll('8080', port));
  const answers = await folder.runEach([start, write, ...asking]);
  const shown = section.blocks('json').map((answer) => JSON.parse(answer));
  expect(answers.slice(2, 4).map((answer) => JSON.parse(answer))).toEqual(shown);
}, 60_000);

test('every link of the quickstart leads to a page and a heading', async () => {
  expect(await page.brokenLinks()).toEqual([]);
});
