import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readClientPackage } from '../../client/build/client-package.ts';
import * as client from '../../client/index.ts';
import { type ClientProject, installClient, tool } from '../client/install-package.ts';
import { readDocument, runScripts } from '../support/run-document.ts';

const page = await readDocument('docs/sdk.md');

let application: ClientProject;
beforeAll(async () => {
  application = await installClient();
});
afterAll(() => application.remove());

test('the command of the SDK page installs the package', async () => {
  const [install = '', ...others] = page.section('## Install it').blocks('bash');
  expect(others).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-sdk-'));
  try {
    const project = join(folder, 'mine');
    const clone = join(folder, 'auth-service/client/package');
    for (const path of [project, clone]) mkdirSync(path, { recursive: true });
    writeFileSync(join(project, 'package.json'), '{ "private": true }');
    copyFileSync(application.tarball, join(clone, 'client.tgz'));
    await runScripts([install], {
      cwd: project,
      env: { npm_config_offline: 'true', npm_config_update_notifier: 'false' },
    });
    expect(existsSync(join(project, 'node_modules', readClientPackage().name, 'LICENSE'))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the example of the SDK page compiles against the installed package', () => {
  const [example = ''] = page.section('## Use it').blocks('ts');
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'] };
  application.write('example.mts', example);
  application.write('tsconfig.json', JSON.stringify({ compilerOptions }));
  application.useTypes('@types/node');
  application.run(tool('tsc'));
});

test('the SDK page names every call and every class of errors', () => {
  const { AuthServiceClient: Client, AuthServiceError: _, ...others } = client;
  const calls = Object.getOwnPropertyNames(Client.prototype).filter((name) => name !== 'constructor');
  const names = [...calls, ...Object.keys(others)];
  expect(names.length).toBeGreaterThan(12);
  const rows = page.text.split('\n').filter((line) => line.startsWith('| `'));
  expect(names.filter((name) => !rows.some((row) => new RegExp(`^\\| \`${name}[(\`]`).test(row)))).toEqual([]);
  expect(rows).toHaveLength(names.length);
});

test('every link and npm script of the SDK page exists', async () => {
  expect([await page.brokenLinks(), await page.unknownScripts()]).toEqual([[], []]);
});
