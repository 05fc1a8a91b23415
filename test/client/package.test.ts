import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildSync } from 'esbuild';
import { entryNames, readClientPackage } from '../../client/build/client-package.ts';
import { needing } from '../support/needing.ts';
import { attw } from '../support/tools.ts';
import { type ClientProject, installClient, tool } from './install-package.ts';

const project = join(import.meta.dirname, '../..');
const manifest = readClientPackage();
const { name } = manifest;

let application: ClientProject;
beforeAll(async () => {
  application = await installClient();
});
afterAll(() => application.remove());

/** A program with the parts of the client that it uses, minified. */
function minified(program: string, external: string[] = []): string {
  const { outputFiles } = buildSync({
    stdin: { contents: program, resolveDir: application.path },
    external,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}

test('the tarball has code and types for both module formats, a README, a changelog, a licence and those of others', () => {
  const { installed } = application;
  const files = globSync('**/*.*', { cwd: installed });
  for (const entry of entryNames(manifest)) {
    const made = ['.js', '.cjs', '.d.ts', '.d.cts'].map((extension) => join('dist', `${entry}${extension}`));
    expect(files).toEqual(expect.arrayContaining(made));
  }
  expect(files.filter((file) => !/^dist\/|^README\.md$|^CHANGELOG\.md$|package\.json$/.test(file))).toEqual([]);
  expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toMatch(/All rights reserved.*internal use/s);
  const notice = readFileSync(join(installed, 'dist/THIRD-PARTY.txt'), 'utf8');
  for (const bundled of ['@middy/core', 'valibot'])
    expect(notice).toMatch(new RegExp(`^${bundled} [\\d.]+ \\(MIT\\)$`, 'm'));
  expect(readFileSync(join(installed, 'README.md'), 'utf8')).toContain(`npm install`);
  expect(readFileSync(join(installed, 'CHANGELOG.md'), 'utf8')).toContain(`## ${manifest.version}\n`);
});

test('the package has a scoped name, no dependencies and no install scripts', () => {
  const installed = JSON.parse(readFileSync(join(application.installed, 'package.json'), 'utf8'));
  expect(installed.name).toMatch(/^@[\w-]+\/[\w-]+$/);
  expect(installed).toMatchObject({ license: 'UNLICENSED', sideEffects: false });
  for (const member of ['dependencies', 'peerDependencies', 'scripts']) expect(installed).not.toHaveProperty(member);
});

test('the client has less than 11,000 bytes, minified, or 5,200 compressed, and imports nothing', () => {
  const all = minified(`export * from '${name}';`);
  expect(all.length).toBeLessThan(11_000);
  expect(gzipSync(all).length).toBeLessThan(5200);
  expect(all).not.toMatch(/\bimport\b(?!\.meta)|\brequire\b|node:|\bprocess\b|\bBuffer\b/);
});

test('the replica has less than 17,800 bytes beyond the client, minified, or 7,900 compressed, and imports nothing at its start', () => {
  const all = minified(`export * from '${name}/replica';`, ['./replica-file.js']);
  expect(all.length).toBeLessThan(17_800);
  expect(gzipSync(all).length).toBeLessThan(7900);
  expect(all.replace('import("./replica-file.js")', '')).not.toMatch(
    /\bimport\b(?!\.meta)|\brequire\b|node:|\bBuffer\b/,
  );
});

test('the Management client has less than 17,000 bytes, and imports the signer and the credentials of AWS only on demand', () => {
  const parts = ['./sign-request-v4.js', './default-chain.js'];
  const all = minified(`export * from '${name}/management';`, parts);
  expect(all.length).toBeLessThan(17_000);
  const rest = parts.reduce((text, part) => text.replace(`import("${part}")`, ''), all);
  expect(rest).not.toMatch(/\bimport\b(?!\.meta|-users)|\brequire\b|node:|\bBuffer\b/);
});

test.each(['guard', 'express', 'fastify', 'hono'])(
  'the guard of /%s imports nothing and needs only Web standards',
  (entry) => {
    const all = minified(`export * from '${name}/${entry}';`);
    expect(all).not.toMatch(/\bimport\b(?!\.meta)|\brequire\b|node:|\bprocess\b|\bBuffer\b/);
    expect(all.length).toBeLessThan(6000);
  },
);

test('the client can be tree-shaken to signRequest alone', () => {
  const signer = minified(`import { signRequest } from '${name}'; globalThis.sign = signRequest;`);
  expect(signer.length).toBeLessThan(2800);
  expect(signer).not.toMatch(/retry-after|redirect/);
});

needing('attw').test('every module resolution finds the code and types of its format', () => {
  // node10, node16 from CommonJS and from ES modules, and bundlers; it exits with an error if any of them has a problem.
  const report = JSON.parse(application.run(attw, application.tarball, '--format', 'json'));
  expect(report.problems).toEqual({});
  const entries = Object.keys(report.analysis.entrypoints).filter((path) => !path.endsWith('.json'));
  expect(entries).toEqual(Object.keys(manifest.exports).filter((path) => !path.endsWith('.json')));
});

test('the types import only each other', () => {
  const declarations = globSync('dist/**/*.d.{ts,cts}', { cwd: application.installed });
  const imported = declarations.flatMap((path) => {
    const text = readFileSync(join(application.installed, path), 'utf8');
    const extension = path.endsWith('.d.ts') ? 'js' : 'cjs';
    // Apart from the examples in its comments.
    const code = text.replace(/^ +\*.*$/gm, '');
    const froms = [...code.matchAll(/from '([^']+)'|import\('([^']+)'\)/g)].map(
      ([, from, inline]) => from ?? inline ?? '',
    );
    return froms.filter((from) => !new RegExp(`^\\.[\\w./-]+\\.${extension}$`).test(from));
  });
  expect(declarations.length).toBeGreaterThan(6);
  expect(imported).toEqual([]);
});

test('every example in a doc comment compiles', () => {
  const sources = globSync('client/**/*.ts', { cwd: project, exclude: ['client/package/**'] });
  const texts = sources.map((path) => readFileSync(join(project, path), 'utf8'));
  const examples = texts.flatMap((text) => [
    ...text.matchAll(/^ +\* ```ts\n(.*?)^ +\* ```$|^ \* ```ts\n(.*?)^ \* ```$/gms),
  ]);
  expect(examples.length).toBeGreaterThanOrEqual(7);
  for (const [index, [, indented, flush]] of examples.entries()) {
    const code = (indented ?? flush ?? '').replace(/^ +\* ?/gm, '');
    application.write(`examples/example-${index}.ts`, `${code}\nexport {};\n`);
  }
  application.linkTypes('@types/node', '@types/express', 'fastify', 'hono');
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'] };
  application.write('examples/tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  application.write('examples/package.json', '{"type":"module"}');
  expect(readdirSync(join(application.path, 'examples'))).toHaveLength(examples.length + 2);
  application.run(tool('tsc'), '-p', 'examples');
});
