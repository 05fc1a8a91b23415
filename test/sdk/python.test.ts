import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildClient } from '../../client/build/build-client.ts';
import { expectObeys } from '../support/check-application.ts';
import { needing } from '../support/needing.ts';
import { openReader } from '../support/page-reader.ts';
import { openProjectFolder, type ProjectFolder, readDocument } from '../support/run-document.ts';
import { expectSignedRequests } from '../support/signed-requests.ts';
import { startSources, type TestService } from '../support/start-service.ts';

const page = await readDocument('sdk/python/README.md');
const python = needing('Python packages');

let service: TestService;
let folder: ProjectFolder;
let sdk: string;
beforeAll(async () => {
  service = await startSources();
  folder = await openProjectFolder(service);
  sdk = join(folder.path, 'sdk/python');
  await buildClient(join(folder.path, 'client/package'));
  // The ten seconds of the SDK are for an answer, not for the start of a function on a busy machine.
  await service.request(['GET', '/api/service/users/ada/access']);
});
afterAll(async () => {
  await folder.remove();
  await service.stop();
});

async function run(program: string, ...args: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    AUTH_SERVICE_CLIENT: join(folder.path, 'client/package'),
    AUTH_SERVICE_NODE: process.execPath,
    PYTHONPATH: join(sdk, 'src'),
  };
  const { stdout } = await promisify(execFile)(program, args, { cwd: sdk, env }).catch(({ stdout: said, stderr }) => {
    throw new Error(`${program} ${args}\n${said}\n${stderr}`);
  });
  return stdout;
}

python.test('the quickstart installs the SDK for Python, and prints what it shows', async () => {
  const reader = await openReader();
  try {
    // Debian's Python, whose packages are those that the page names.
    await reader.walk('sdk/python/README.md', { 'python3 -m': '/usr/bin/python3 -m' });
    const built = join(reader.folder.path, '.local/python');
    expect(globSync('auth*service*client-0.1.0.tar.gz', { cwd: built })).toHaveLength(1);
    const wheel = join(built, 'auth_service_client-0.1.0-py3-none-any.whl');
    const content = await run('/usr/bin/python3', '-m', 'zipfile', '--list', wheel);
    expect(content).toMatch(/^auth_service\/py\.typed /m);
    expect(content).toMatch(/^auth_service\/testing\/fake_server\.mjs /m);
  } finally {
    await reader.close();
  }
});

python.test('the tests of the SDK for Python pass', async () => {
  expect(await run('/usr/bin/python3', '-m', 'pytest', '-q')).toMatch(/^\d{3,} passed/m);
});

python.test(
  'a guarded application in Python obeys in all cases of the command, closed or open in an outage',
  async () => {
    const program = ['/usr/bin/python3', 'tests/guarded.py'];
    const options = { cwd: sdk, env: { PYTHONPATH: join(sdk, 'src') } };
    await Promise.all([
      expectObeys(folder, 'editor', [...program, 'editor'], options),
      expectObeys(folder, 'open', [...program, 'open'], options),
    ]);
  },
);

python.test('another library accepts 500 random signatures of the SDK for Python', async () => {
  await expectSignedRequests(await run('/usr/bin/python3', 'tests/sign_requests.py'));
});

python.test('the types of the SDK for Python are complete, and nothing is imported in vain', async () => {
  expect(await run('/usr/bin/mypy')).toMatch(/^Success: no issues found in \d+ source files/);
  expect(await run('/usr/bin/pyflakes3', 'src', 'tests')).toBe('');
});

test('the README names every module that applications import', () => {
  const inFolders = globSync('src/auth_service/{,guards/}[a-z]*{/__init__,}.py', {
    cwd: join(import.meta.dirname, '../../sdk/python'),
  });
  const names = inFolders.map((path) => path.replace(/^.*auth_service\/|(\/__init__)?\.py$/g, ''));
  const internal = ['errors', 'model', 'guards/decision', 'guards/sync'];
  const named = names.filter((name) => !internal.includes(name)).map((name) => name.split('/').at(-1) ?? '');
  expect(named.length).toBeGreaterThan(6);
  expect(named.filter((name) => !page.text.includes(`.${name}`))).toEqual([]);
});
