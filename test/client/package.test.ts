import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildSync } from 'esbuild';
import { buildClient } from '../../client/build/build-client.ts';

const project = join(import.meta.dirname, '../..');
const bin = (name: string) => join(project, 'node_modules/.bin', name);

let folder: string;
let packed: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'auth-service-client-'));
  packed = join(folder, 'node_modules/auth-service');
  mkdirSync(join(folder, 'node_modules'));
  await buildClient(packed);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A program with the parts of the client that it uses, minified. */
function minified(program: string): string {
  const { outputFiles } = buildSync({
    stdin: { contents: program, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}

test('the client package has less than 6,000 bytes, minified, and imports nothing', () => {
  const all = minified(`export * from 'auth-service/client';`);
  expect(all.length).toBeLessThan(6000);
  expect(all).not.toMatch(/\bimport\b(?!\.meta)|\brequire\b|node:|\bprocess\b|\bBuffer\b/);
  expect(JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies');
});

test('the client package can be tree-shaken to signRequest alone', () => {
  const signer = minified(`import { signRequest } from 'auth-service/client'; globalThis.sign = signRequest;`);
  expect(signer.length).toBeLessThan(2500);
  expect(signer).not.toMatch(/retry-after|redirect/);
});

test('the client package has its own types, which every way of resolving modules finds', () => {
  const declarations = readdirSync(packed).filter((name) => name.endsWith('.d.ts'));
  const imported = declarations.flatMap((name) =>
    [...readFileSync(join(packed, name), 'utf8').matchAll(/from '([^']+)'/g)].map(([, from = '']) => from),
  );
  expect(declarations.length).toBeGreaterThan(3);
  expect(imported.filter((from) => !/^\.\/[\w-]+\.js$/.test(from) && from !== 'auth-service/client')).toEqual([]);
  // An ES module alone, which CommonJS loads by import(): the profile for such packages.
  execFileSync(bin('attw'), ['--pack', packed, '--profile', 'esm-only', '--no-color'], { stdio: 'pipe' });
});

test('the client package runs on Node 20 and later', () => {
  const nodes = ['node', process.execPath].map((node) =>
    execFileSync(node, ['--input-type=module', '-e', signedByPackage], { cwd: folder, encoding: 'utf8', env: path }),
  );
  expect(nodes).toEqual(['sig1 object\n', 'sig1 object\n']);
});

const path = { PATH: process.env.PATH ?? '' };
const signedByPackage = `
  import { AuthServiceClient, signRequest } from 'auth-service/client';
  const key = { keyId: 'svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX', secret: 'svs_' + 'A'.repeat(43) };
  const signed = await signRequest(new Request('https://auth.example.com/api/service/users/ada/access'), key);
  const client = new AuthServiceClient({ baseUrl: 'https://auth.example.com', ...key });
  console.log(signed.headers.get('signature').split('=')[0], typeof client);`;

test('every example in the documentation of the code compiles', () => {
  const sources = readdirSync(join(project, 'client')).filter((name) => name.endsWith('.ts'));
  const texts = sources.map((name) => readFileSync(join(project, 'client', name), 'utf8'));
  const examples = texts.flatMap((text) => [
    ...text.matchAll(/^ +\* ```ts\n(.*?)^ +\* ```$|^ \* ```ts\n(.*?)^ \* ```$/gms),
  ]);
  expect(examples.length).toBeGreaterThanOrEqual(7);
  for (const [index, [, indented, flush]] of examples.entries()) {
    const code = (indented ?? flush ?? '').replace(/^ +\* ?/gm, '');
    writeFileSync(join(folder, `example-${index}.ts`), `${code}\nexport {};\n`);
  }
  cpSync(join(project, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'), { recursive: true });
  cpSync(join(project, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'), { recursive: true });
  const options = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  execFileSync(bin('tsc'), ['-p', folder], { stdio: 'pipe' });
});
