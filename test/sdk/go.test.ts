import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildClient } from '../../client/build/build-client.ts';
import { readClientPackage } from '../../client/build/client-package.ts';
import { expectObeys } from '../support/check-application.ts';
import { needing } from '../support/needing.ts';
import { openReader } from '../support/page-reader.ts';
import { openProjectFolder, type ProjectFolder, readDocument } from '../support/run-document.ts';
import { expectSignedRequests } from '../support/signed-requests.ts';
import { textOf } from '../support/source-files.ts';
import { startBundles, type TestService } from '../support/start-service.ts';

const page = await readDocument('sdk/go/README.md');
const go = needing('Go');

let service: TestService;
let folder: ProjectFolder;
let sdk: string;
beforeAll(async () => {
  service = await startBundles();
  folder = await openProjectFolder(service);
  sdk = join(folder.path, 'sdk/go');
  await buildClient(join(folder.path, 'client/package'));
  // The ten seconds of the SDK are for an answer, not for the start of a function on a busy machine.
  await service.request(['GET', '/api/service/users/ada/access']);
});
afterAll(async () => {
  await folder.remove();
  await service.stop();
});

async function run(program: string, args: readonly string[], cwd = sdk): Promise<string> {
  const env = {
    ...process.env,
    AUTH_SERVICE_CLIENT: join(folder.path, 'client/package'),
    AUTH_SERVICE_NODE: process.execPath,
    // The module has no dependencies, so nothing is downloaded.
    GOFLAGS: '',
    GOPROXY: 'off',
  };
  const { stdout } = await promisify(execFile)(program, args, { cwd, env }).catch(({ stdout: said, stderr }) => {
    throw new Error(`${program} ${args}\n${said}\n${stderr}`);
  });
  return stdout;
}

go.test('the quickstart of the SDK for Go prints what it shows', async () => {
  const reader = await openReader();
  await reader.walk('sdk/go/README.md').finally(reader.close);
});

go.test('the guarded application of the README passes the test of the README', async () => {
  const [guarded = '', tested = ''] = page.blocks('go');
  const application = join(folder.path, '.local/guarded');
  mkdirSync(application, { recursive: true });
  writeFileSync(
    join(application, 'go.mod'),
    `module example.com/app\n\ngo 1.19\n\nrequire auth-service/authservice v0.1.0\n\nreplace auth-service/authservice => ${sdk}\n`,
  );
  writeFileSync(join(application, 'app.go'), guarded);
  const packages = ['context', 'net/http', 'net/http/httptest', 'testing', ...['', '/authservicetest'].map(inModule)];
  const imports = packages.map((name) => `import "${name}"\n`).join('');
  writeFileSync(
    join(application, 'app_test.go'),
    `package app\n\n${imports}\nfunc TestABlockedUser(t *testing.T) {\n${tested}}\n`,
  );
  expect(await run('go', ['test', '-v', './...'], application)).toContain('--- PASS: TestABlockedUser');
});

function inModule(path: string): string {
  return `auth-service/authservice${path}`;
}

go.test('a guarded application in Go obeys in all cases of the command, closed or open in an outage', async () => {
  const program = join(folder.path, '.local/guarded-application');
  await run('go', ['build', '-o', program, './internal/guarded']);
  await Promise.all([
    expectObeys(folder, 'editor', [program, 'editor'], { cwd: sdk }),
    expectObeys(folder, 'open', [program, 'open'], { cwd: sdk }),
  ]);
});

go.test('the tests of the SDK for Go pass', async () => {
  const events = (await run('go', ['test', '-json', './...'])).trim().split('\n');
  const passed = events.map((line) => JSON.parse(line)).filter(({ Action, Test }) => Action === 'pass' && Test);
  expect(passed.length).toBeGreaterThan(250);
});

needing('Go', 'gcc').test('the goroutines of a replica in Go have no data races', async () => {
  expect(await run('go', ['test', '-race', '-run', 'Replica|Goroutines', '.'])).toMatch(/^ok /);
});

go.test('the sources of the SDK for Go are formatted and have nothing suspicious', async () => {
  expect(await run('gofmt', ['-l', '.'])).toBe('');
  expect(await run('go', ['vet', './...'])).toBe('');
});

go.test('another library accepts 500 random signatures of the SDK for Go', async () => {
  await expectSignedRequests(await run('go', ['run', './internal/signrequests']));
});

test('the module is in the scope of the package for TypeScript, and has no dependencies', () => {
  const [scope] = readClientPackage().name.slice(1).split('/');
  expect(textOf('sdk/go/go.mod')).toBe(`module ${scope}/authservice\n\ngo 1.19\n`);
});

test('the test double of both SDKs is the same program', () => {
  expect(textOf('sdk/go/authservicetest/fake_server.mjs')).toBe(
    textOf('sdk/python/src/auth_service/testing/fake_server.mjs'),
  );
});
