import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ClientProject, installClient, tool } from '../client/install-package.ts';
import { patience } from '../support/eventually.ts';
import { readDocument } from '../support/run-document.ts';
import { startBundles, type TestService } from '../support/start-service.ts';

const page = await readDocument('docs/integrate/replica.md');

let application: ClientProject;
let service: TestService;
beforeAll(async () => {
  // Not at the same time: the installation blocks this process, in which the service's data is written.
  application = await installClient();
  service = await startBundles();
});
afterAll(async () => {
  application.remove();
  await service.stop();
});

test('every example of the page about the replica compiles against the installed package', () => {
  const examples = page.blocks('ts');
  expect(examples).toHaveLength(2);
  for (const [index, example] of examples.entries()) application.write(`examples/${index}.mts`, example);
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'] };
  application.write('examples/tsconfig.json', JSON.stringify({ compilerOptions }));
  application.linkTypes('@types/node', 'undici-types');
  application.run(tool('tsc'), '-p', 'examples');
});

test('the first example decides by the installed package, as an ES module, in CommonJS and with a file', async () => {
  const [example = ''] = page.blocks('ts');
  const placed = example.replace('https://auth.example.com', service.url);
  const imports = /import (\{.*\}) from '(.*)';/g;
  application.write('run/module.mts', placed);
  application.write(
    'run/common.cts',
    `void (async () => {\n${placed.replace(imports, "const $1 = require('$2');").replace('{ client,', "{ client, file: 'knowledge',")}\n})();`,
  );
  const { billingKey } = service;
  const env = { ...process.env, AUTH_KEY_ID: billingKey.keyId, AUTH_SECRET: billingKey.secret };
  for (const program of ['run/module.mts', 'run/common.cts', 'run/common.cts']) {
    const options = { cwd: application.path, env };
    const { stdout } = await promisify(execFile)(process.execPath, [program], options);
    expect(stdout).toBe('enabled default [] true\n');
  }
  expect(readFileSync(join(application.path, 'knowledge'), 'utf8')).toContain('"cursor"');
});

test('a program that has nothing else to do ends without closing its replica', async () => {
  const [example = ''] = page.blocks('ts');
  application.write(
    'run/open.mts',
    example.replace('https://auth.example.com', service.url).replace('await replica.close();', ''),
  );
  const { billingKey } = service;
  const env = { ...process.env, AUTH_KEY_ID: billingKey.keyId, AUTH_SECRET: billingKey.secret };
  const options = { cwd: application.path, env, timeout: patience };
  await promisify(execFile)(process.execPath, ['run/open.mts'], options);
});

test('the page about the replica names every option', () => {
  const source = readFileSync(join(application.installed, 'dist/replica/access-replica.d.ts'), 'utf8');
  const body = source.slice(source.indexOf('interface AccessReplicaOptions {')).split('\n}', 1)[0] ?? '';
  const options = [...body.matchAll(/^ {4}readonly (\w+)/gm)].map(([, name]) => name);
  const table = page.section('## Options').text.split('\n###', 1)[0] ?? '';
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)).toEqual(options);
});
