import { existsSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildClient } from '../../client/build/build-client.ts';
import { needing } from '../support/needing.ts';
import { openProjectFolder, type ProjectFolder, readDocument } from '../support/run-document.ts';
import { everyEndpoint } from '../support/service-endpoints.ts';
import { startSources, type TestService } from '../support/start-service.ts';

const root = join(import.meta.dirname, '../..');
const readme = await readDocument('README.md');
const signing = await readDocument('docs/integrate/signing.md');

let service: TestService;
let folder: ProjectFolder;
beforeAll(async () => {
  service = await startSources();
  folder = await openProjectFolder(service);
});
afterAll(async () => {
  await folder.remove();
  await service.stop();
});

test('seven lines of TypeScript ask whether a user may enter, and see a role and a block at once', async () => {
  const section = readme.section('## Ask');
  const [program = ''] = section.blocks('ts');
  expect(program.match(/^.+$/gm)).toHaveLength(7);
  await buildClient(join(folder.path, 'client/package'));
  await writeFile(join(folder.path, 'ask.ts'), program);
  expect(await folder.run('npx node ask.ts')).toBe('Ada may enter, with these roles: []\n');
  const [commands = ''] = section.blocks('bash');
  const printed = await folder.run(commands);
  expect(printed.match(/^Ada .*$/gm)).toEqual(["Ada may enter, with these roles: [ 'editor' ]", 'Ada may not enter']);
});

needing('curl', 'OpenSSL').test(
  'five commands lead from zero to a request signed with a key of a new application',
  async () => {
    const [request = ''] = signing.section('## In one command').blocks('bash');
    const [commands = ''] = readme.section('## Manage').blocks('bash');
    expect(commands.trim().split('\n')).toHaveLength(5);
    const scripts = [commands, 'export KEY_FILE=.local/helpdesk.json USER_ID=zoe', request];
    const [, , answer = ''] = await folder.runEach(scripts);
    expect(JSON.parse(answer)).toMatchObject({
      userId: 'zoe',
      appId: 'helpdesk',
      status: 'disabled',
      roles: [{ name: 'editor' }],
    });
    expect(statSync(join(folder.path, '.local/helpdesk.json')).mode & 0o777).toBe(0o600);
  },
);

test('the page on the APIs lists every operation of the Service API with its scope, except those of webhooks', async () => {
  const page = await readDocument('docs/integrate/api.md');
  const rows = page.section('## Service API').text.matchAll(/^\| `(\S+) ([^`?]+)(?:\?[^`]*)?` .*\| `(\S+)` +\|$/gm);
  const listed = [...rows].map(([, method, path = '', scope]) => [method, `/api/service${path}`, scope]);
  const operations = everyEndpoint.map(({ method, path, scope }) => [method, path.replace(/\{(\w+)\}/g, ':$1'), scope]);
  expect(listed).toEqual(operations);
});

test('the README names the costs that the page on costs computes', () => {
  const costs = readFileSync(join(root, 'docs/operate/costs.md'), 'utf8');
  const [, question] = /^\| `GET access` .*\*\*([\d.]+)\*\*/m.exec(costs) ?? [];
  const [, idle] = /^\| \*\*together\*\* +\| \*\*([\d.]+)\*\*/m.exec(costs) ?? [];
  expect(readme.text).toContain(`A million questions cost [$${question}](docs/operate/costs.md)`);
  expect(readme.text).toContain(`an idle \`prod\` $${idle} a month`);
});

test('the README names every npm script for developers', () => {
  for (const script of ['start', 'test', 'run check', 'run synth', 'run deploy', 'run bench', 'run dashboard']) {
    expect(readme.text).toContain(`npm ${script}`);
  }
});

test('the Node that the README asks for is the one of package.json', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(engines).toEqual({ node: '>=22' });
  expect(readme.text).toContain('Node 22 or 24');
});

test('the README has at most 110 lines and one picture', () => {
  expect(readme.text.split('\n').length).toBeLessThanOrEqual(111);
  expect(readme.text.match(/!\[/g)).toHaveLength(1);
  expect(existsSync(join(root, 'docs/images/user.png'))).toBe(true);
});
