import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readClientPackage } from '../../client/build/client-package.ts';
import { help } from '../../client/conformance/conformance-options.ts';
import * as client from '../../client/index.ts';
import { access, problem, testKey } from '../client/client-fixture.ts';
import { type ClientProject, installClient, tool } from '../client/install-package.ts';
import { startStubServer } from '../client/stub-server.ts';
import { freePort } from '../support/free-port.ts';
import { needing } from '../support/needing.ts';
import { readDocument, runScripts } from '../support/run-document.ts';

const page = await readDocument('docs/integrate/sdk.md');

let application: ClientProject;
beforeAll(async () => {
  application = await installClient();
  application.linkTypes('@opentelemetry/api');
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

test('every example of the SDK page compiles against the installed package', () => {
  const examples = page.blocks('ts');
  expect(examples.length).toBeGreaterThan(2);
  for (const [index, example] of examples.entries()) application.write(`examples/${index}.mts`, example);
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'] };
  application.write('examples/tsconfig.json', JSON.stringify({ compilerOptions }));
  application.linkTypes('@types/node');
  application.run(tool('tsc'), '-p', 'examples');
});

needing('OpenTelemetry').test('the example for OpenTelemetry makes a span of each request', async () => {
  const [example = ''] = page.blocks('ts').filter((block) => block.includes('@opentelemetry/api'));
  application.linkTypes('@opentelemetry/sdk-trace-base');
  const server = await startStubServer();
  server.reactions = [
    { status: 503, body: problem('unavailable'), headers: { 'apigw-requestid': 'R1' } },
    { status: 200, body: access },
  ];
  application.write('telemetry/example.mts', example.replace('https://auth.example.com', server.url));
  application.write(
    'telemetry/run.mjs',
    `import { trace } from '@opentelemetry/api';
    import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    const { client } = await import('./example.mts');
    await client.isAllowed('ada');
    console.log(JSON.stringify(exporter.getFinishedSpans().map(({ name, attributes, status }) => ({ name, attributes, status }))));`,
  );
  const env = { ...process.env, AUTH_KEY_ID: testKey.keyId, AUTH_SECRET: testKey.secret };
  const run = promisify(execFile)(process.execPath, ['telemetry/run.mjs'], { cwd: application.path, env });
  const { stdout } = await run.finally(() => server.close());
  const name = 'GET users/{userId}/access';
  expect(JSON.parse(stdout)).toMatchObject([
    { name, status: { code: 2, message: 'unavailable' }, attributes: { 'auth_service.request_id': 'R1' } },
    { name, status: { code: 0 }, attributes: { 'http.request.resend_count': 1, 'http.response.status_code': 200 } },
  ]);
});

test('the SDK page names every call and every class of errors', () => {
  const { AuthServiceClient: Client, ...others } = client;
  const calls = Object.getOwnPropertyNames(Client.prototype).filter((name) => name !== 'constructor');
  const names = [...calls, ...Object.keys(others)];
  expect(names.length).toBeGreaterThan(12);
  const tables = page.text.slice(0, page.text.indexOf('## Options')) + page.text.slice(page.text.indexOf('| class'));
  const rows = tables.split('\n').filter((line) => line.startsWith('| `'));
  expect(names.filter((name) => !rows.some((row) => new RegExp(`^\\| \`${name}[(\`]`).test(row)))).toEqual([]);
  expect(rows).toHaveLength(names.length);
});

test('the SDK page names every option', () => {
  const rows = page
    .section('## Options')
    .text.split('\n')
    .filter((line) => line.startsWith('| `'));
  const documented = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([\w.]+)`/g)].map(([, name]) => name),
  );
  const membersOf = (path: string, declaration: string) => {
    const source = readFileSync(join(application.installed, 'dist', path), 'utf8');
    const body = source.slice(source.indexOf(`interface ${declaration} {`)).split('\n}', 1)[0] ?? '';
    return [...body.matchAll(/^ {4}readonly (\w+)/gm)].map(([, name]) => name);
  };
  const nested: Readonly<Record<string, readonly (string | undefined)[]>> = {
    circuit: membersOf('circuit.d.ts', 'CircuitOptions'),
    hooks: membersOf('client-hooks.d.ts', 'ClientHooks'),
  };
  const options = membersOf('create-send.d.ts', 'ClientSettings').flatMap(
    (name = '') => nested[name]?.map((member) => `${name}.${member}`) ?? name,
  );
  expect(documented.sort()).toEqual([...options, ...membersOf('client-key.d.ts', 'ApiKey'), 'key'].sort());
});

test("the package's own page has the same options, and an example that compiles", async () => {
  const readme = await readDocument('client/package/README.md');
  const tableOf = (text: string) => text.split('\n').filter((line) => line.startsWith('|'));
  expect(tableOf(readme.section('## Options').text)).toEqual(tableOf(page.section('## Options').text));
  const [example = ''] = readme.blocks('ts');
  application.write('readme/example.mts', example);
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'] };
  application.write('readme/tsconfig.json', JSON.stringify({ compilerOptions }));
  application.linkTypes('@types/node');
  application.run(tool('tsc'), '-p', 'readme');
});

test('the example for tests prints what it says', () => {
  const [example = ''] = page.section('## Testing your application').blocks('ts');
  application.write('fake/example.mjs', example);
  const expected = [...example.matchAll(/\/\/ (\w+)$/gm)].map(([, printed]) => `${printed}\n`).join('');
  expect(expected).toBe('false\ntrue\nno_answer\n');
  expect(application.run(process.execPath, 'fake/example.mjs')).toBe(expected);
});

test('the command that checks an integration prints what the page shows', async () => {
  const checking = page.section('## Checking your integration');
  const [port, own] = [await freePort(), await freePort()];
  const [app = ''] = checking.blocks('js');
  application.write('app.mjs', app.replace('8080', `${port}`));
  const [{ script, shown } = { script: '' }, ...others] = checking.steps();
  expect(others).toEqual([]);
  const command = script.replace('8080', `${port}`).replace(' -- ', ` --port ${own} -- `);
  const env = { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' };
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: application.path, env });
  const withoutTimes = (text: string) => text.replaceAll(/ \([\d.]+ s\)$/gm, '');
  expect(withoutTimes(stdout)).toBe(withoutTimes(shown?.text ?? ''));
});

test('the page names every option of the command', async () => {
  const named = (text: string) => [...new Set(text.match(/--[a-z-]{2,}/g))].sort();
  const { text } = page.section('## Checking your integration');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  expect(named(rows.join('\n'))).toEqual(named(help).filter((option) => option !== '--help'));
});
