import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { localAccess } from '../../local/local-access.ts';
import { startBundles, type TestService } from '../support/start-service.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startBundles();
  folder = mkdtempSync(join(tmpdir(), 'auth-service-readme-'));
  await mkdir(join(folder, '.local'));
  const { url: baseUrl, manageUrl, accessKey, billingKey } = service;
  const example = { baseUrl, manageUrl, region: localAccess.region, ...accessKey, ...billingKey };
  await writeFile(join(folder, '.local/example.json'), JSON.stringify(example), { mode: 0o600 });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});

test('the request signed by hand with openssl and curl is accepted', async () => {
  const [script = ''] = blocks('bash');
  const { stdout } = await runBash(script);
  expect(JSON.parse(stdout)).toMatchObject({
    userId: 'ada',
    status: 'disabled',
    reason: 'left the team',
    changed: true,
  });
});

test('five commands lead from zero to a request signed with a key of a new application', async () => {
  const [request = '', commands = ''] = blocks('bash');
  expect(commands.trim().split('\n')).toHaveLength(5);
  // As in the project's folder, where npm finds the script.
  const npm = `npm() { shift 4; '${process.execPath}' --disable-warning=ExperimentalWarning '${join(root, 'cli/main.ts')}' "$@"; }`;
  const { stdout } = await runBash(`${npm}\n${commands}\nexport KEY_FILE=.local/crm.json USER_ID=zoe\n${request}`);
  const answer = JSON.parse(stdout.slice(stdout.lastIndexOf('{"userId"')));
  expect(answer).toMatchObject({ userId: 'zoe', appId: 'crm', status: 'disabled', roles: [{ name: 'editor' }] });
});

test('the answer that is shown has the fields of the real one', async () => {
  const [shown = ''] = blocks('json');
  const { body } = await service.request(['PUT', '/api/service/users/ada/access'], { body: { status: 'disabled' } });
  expect(Object.keys(JSON.parse(shown))).toEqual(Object.keys(body));
});

test('every npm script that is named exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = [...readme.matchAll(/npm (?:run )?(?:-s )?([a-z]+)/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'ci');
  expect(named).toEqual(expect.arrayContaining(['start', 'test', 'check', 'synth', 'deploy', 'bench', 'manage']));
  expect(named.filter((name) => !((name as string) in scripts))).toEqual([]);
});

test('every folder and page that is named exists', async () => {
  const links = [...readme.matchAll(/\]\((?!http)([^)]+)\)/g)].map(([, target = '']) => target);
  const rows = readme
    .slice(readme.indexOf('## Folders'))
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const folders = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  expect(folders.length).toBeGreaterThan(8);
  const missing = [...links, ...folders].map((name) =>
    run('test', ['-e', join(root, name)]).then(
      () => [],
      () => [name],
    ),
  );
  expect((await Promise.all(missing)).flat()).toEqual([]);
});

function runBash(script: string) {
  const env = { ...process.env, BASE_URL: service.url };
  return run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env });
}

/** The fenced blocks of one language, in order. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);
}
