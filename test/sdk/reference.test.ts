import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildClient } from '../../client/build/build-client.ts';
import { javaReference } from '../../sdk/reference/java-reference.ts';
import { documentTypes } from '../../sdk/reference/typescript-reference.ts';
import { needing } from '../support/needing.ts';
import { root } from '../support/source-files.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'auth-service-reference-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function make(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const script = join(root, 'sdk/reference/make-reference.ts');
  const options = { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [script, ...args], options);
}

function read(path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

/** Makes the reference of one language, which must succeed. */
function makeFor(language: string): void {
  const { status, stderr } = make([language, '--to', folder]);
  expect([status, stderr]).toEqual([0, expect.stringMatching(`^${language} ... ${language} \\([\\d.]+ s\\)\n$`)]);
}

needing('typedoc').test('the reference for TypeScript has a page for each export, of every entry point', () => {
  makeFor('typescript');
  const pages = [
    'interfaces/index.AuthServiceClient',
    'functions/guard.checkRequest',
    'interfaces/testing.FakeAuthService',
  ];
  const ofManagement = ['functions/management.createManagementClient', 'interfaces/management.ManagementOperations'];
  for (const page of [...pages, ...ofManagement, 'functions/express.guard', 'interfaces/replica.AccessReplica'])
    expect([page, existsSync(join(folder, `typescript/${page}.html`))]).toEqual([page, true]);
  expect(read('typescript/interfaces/index.AuthServiceClient.html')).toContain('getAccess');
  expect(read('typescript/interfaces/guard.GuardOptions.html')).toMatch(/whenUnavailable.*without roles/s);
});

needing('typedoc').test('an export without a comment fails', async () => {
  const built = join(folder, 'package');
  await buildClient(built);
  appendFileSync(join(built, 'dist/guard.d.ts'), '\nexport declare function bare(): void;\n');
  await expect(documentTypes(built, join(folder, 'never'))).rejects.toThrow(
    /guard\.bare .*does not have any documentation/,
  );
});

needing('Sphinx').test('the reference for Python has a page for each module that applications import', () => {
  makeFor('python');
  for (const name of ['', '.replica', '.guards', '.guards.asgi', '.webhooks', '.testing'])
    expect([name, existsSync(join(folder, `python/auth_service${name}.html`))]).toEqual([name, true]);
  expect(read('python/auth_service.html')).toContain('id="auth_service.AsyncAuthServiceClient.get_access"');
  expect(read('python/auth_service.guards.asgi.html')).toContain('when_unavailable');
  expect(existsSync(join(folder, 'python/auth_service._sync.html'))).toBe(false);
});

needing('Go').test('the reference for Go has everything that programs and their tests import', () => {
  makeFor('go');
  expect(read('go/authservice.txt')).toMatch(/^func \(c \*Client\) GetAccess\(.*\n +GetAccess /m);
  expect(read('go/authservice.txt')).toContain('WhenUnavailable WhenUnavailable');
  expect(read('go/authservicetest.txt')).toContain('func Start(');
});

const java = needing('Java packages');

java.test('the reference for Java has a page for each class, also of the filters', () => {
  makeFor('java');
  for (const page of ['Client', 'Guard.WhenUnavailable', 'servlet/AccessFilter', 'spring/AccessOncePerRequestFilter'])
    expect([page, existsSync(join(folder, `java/authservice/${page}.html`))]).toEqual([page, true]);
});

java.test('a public method without a comment fails', async () => {
  const sources = join(folder, 'java-sources');
  cpSync(join(root, 'sdk/java/src'), sources, { recursive: true });
  const path = join(sources, 'main/java/authservice/Status.java');
  writeFileSync(path, readFileSync(path, 'utf8').replace('/** The user may enter. */', ''));
  await expect(javaReference(join(folder, 'never'), sources)).rejects.toThrow(/Status\.java:\d+: warning: no comment/);
});

test('a missing tool is named, with the package that has it', () => {
  const { status, stderr } = make(['go', '--to', folder], { PATH: '' });
  expect([status, stderr]).toEqual([1, 'go ... FAILED: go is not installed: install the Debian package golang-go\n']);
});

test('an unknown language is refused, with those that there are', () => {
  const { status, stdout, stderr } = make(['cobol']);
  expect([status, stderr]).toEqual([2, 'There is no reference for cobol.\n\n']);
  expect(stdout).toContain('typescript, python, go, java');
});
