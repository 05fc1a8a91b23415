import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as client from '../../client/index.ts';
import { readDocument, runScripts } from '../support/run-document.ts';

const page = await readDocument('docs/sdk.md');
const project = join(import.meta.dirname, '../..');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'auth-service-sdk-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the example of the SDK page compiles against the package that its command builds', async () => {
  const scripts = page.blocks('bash');
  expect(scripts).toHaveLength(1);
  await runScripts(scripts);
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
  symlinkSync(join(project, 'client/dist'), join(folder, 'node_modules/auth-service'));
  symlinkSync(join(project, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  const [example = ''] = page.blocks('ts');
  writeFileSync(join(folder, 'example.ts'), example);
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  execFileSync(join(project, 'node_modules/.bin/tsc'), ['-p', folder], { stdio: 'pipe' });
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
