import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectFolder, type ProjectFolder, readDocument } from '../support/run-document.ts';
import { startBundles, type TestService } from '../support/start-service.ts';

const root = join(import.meta.dirname, '../..');
const readme = await readDocument('README.md');

let service: TestService;
let folder: ProjectFolder;
beforeAll(async () => {
  service = await startBundles();
  folder = await openProjectFolder(service);
});
afterAll(async () => {
  await folder.remove();
  await service.stop();
});

test('the request signed by hand with openssl and curl is accepted', async () => {
  const [script = ''] = readme.section('## A signed request by hand').blocks('bash');
  expect(JSON.parse(await folder.run(script))).toMatchObject({
    userId: 'ada',
    status: 'disabled',
    reason: 'left the team',
    changed: true,
  });
});

test('five commands lead from zero to a request signed with a key of a new application', async () => {
  const [request = ''] = readme.section('## A signed request by hand').blocks('bash');
  const [commands = ''] = readme.section('## Manage').blocks('bash');
  expect(commands.trim().split('\n')).toHaveLength(5);
  const scripts = [commands, 'export KEY_FILE=.local/crm.json USER_ID=zoe', request];
  const [, , answer = ''] = await folder.runEach(scripts);
  expect(JSON.parse(answer)).toMatchObject({
    userId: 'zoe',
    appId: 'crm',
    status: 'disabled',
    roles: [{ name: 'editor' }],
  });
});

test('the answer that is shown has the fields of the real one', async () => {
  const [shown = ''] = readme.blocks('json');
  const { body } = await service.request(['PUT', '/api/service/users/ada/access'], { body: { status: 'disabled' } });
  expect(Object.keys(JSON.parse(shown))).toEqual(Object.keys(body));
});

test('every npm script that is named exists, and every one for developers is named', async () => {
  expect(await readme.unknownScripts()).toEqual([]);
  for (const script of ['start', 'test', 'run check', 'run synth', 'run deploy', 'run bench', 'run dashboard']) {
    expect(readme.text).toContain(`npm ${script}`);
  }
});

test('every page and folder that is named exists', async () => {
  expect(await readme.brokenLinks()).toEqual([]);
  const rows = readme.section('## Folders').text.match(/^\| `[^|]*/gm) ?? [];
  const folders = rows.flatMap((row) => row.match(/(?<=`)[^`, ]+(?=`)/g) ?? []);
  expect(folders.length).toBeGreaterThan(8);
  expect(folders.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});
