import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { copyDeclarations } from '#shared/files/copy-declarations.ts';
import { thirdPartyNotice } from '#shared/files/third-party-notice.ts';
import { bundleService } from './bundle-service.ts';
import { entryNames, packageFolder, readClientPackage, sourceOf } from './client-package.ts';

const project = join(import.meta.dirname, '../..');
/** The files of the package that are not made. */
const keptFiles = ['README.md', 'CHANGELOG.md', 'LICENSE'];

/**
 * Builds the client's package in a folder: each entry point as an ES module and as a CommonJS module, with types for both. The
 * package has no dependencies.
 */
export async function buildClient(folder: string = packageFolder): Promise<void> {
  const manifest = readClientPackage();
  const entries = entryNames(manifest);
  for (const made of globSync(['dist', '*/package.json', '*.tgz'], { cwd: folder }))
    rmSync(join(folder, made), { recursive: true });
  if (folder !== packageFolder) for (const name of keptFiles) cpSync(join(packageFolder, name), join(folder, name));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await Promise.all([bundleEntries(entries, folder), bundleProgram(folder), declare(entries, folder)]);
  for (const entry of entries.filter((name) => name !== 'index')) describeToOldResolvers(entry, folder);
}

/** Writes the code of entry points, without their types. */
export async function bundleEntries(entries: readonly string[], folder: string): Promise<void> {
  await Promise.all([bundle(entries, folder, 'esm'), bundle(entries, folder, 'cjs')]);
}

/** Writes the program of the package, which only Node runs; it imports the service as the entry point for tests does. */
async function bundleProgram(folder: string): Promise<void> {
  await build({
    absWorkingDir: project,
    entryPoints: [{ out: 'conformance', in: 'client/conformance/conformance-program.ts' }],
    outdir: join(folder, 'dist'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [lazyImports('.js')],
  });
}

/** Modules that an entry point imports on demand, by their names in `dist`. */
const lazyParts: Readonly<Record<string, string>> = { 'replica-file': 'client/replica/replica-file.ts' };

/** The same of modules for Node, with the packages that they import. */
const nodeParts: Readonly<Record<string, string>> = {
  'sign-request-v4': 'client/management/sign-request-v4.ts',
  'default-chain': 'client/management/default-chain.ts',
};

/** Writes the modules for Node; returns the paths of all that is in them. */
async function bundleNodeParts(folder: string, format: 'esm' | 'cjs'): Promise<string[]> {
  const extension = format === 'cjs' ? '.cjs' : '.js';
  const { metafile } = await build({
    absWorkingDir: project,
    entryPoints: Object.entries(nodeParts).map(([out, path]) => ({ out, in: path })),
    outdir: join(folder, 'dist'),
    outExtension: { '.js': extension },
    bundle: true,
    format,
    minify: true,
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  return Object.keys(metafile.inputs);
}

/** Not minified, so that it can be read and debugged; applications minify it with their own bundler. */
async function bundle(entries: readonly string[], folder: string, format: 'esm' | 'cjs'): Promise<void> {
  const extension = format === 'cjs' ? '.cjs' : '.js';
  const parts = Object.entries(lazyParts).map(([out, path]) => ({ out, in: path }));
  const ofService = entries.includes('testing')
    ? await bundleService(join(folder, 'dist', `fake-service${extension}`), format)
    : [];
  const ofNode = entries.includes('management') ? await bundleNodeParts(folder, format) : [];
  const inputs = [...ofService, ...ofNode];
  if (inputs.length > 0) writeFileSync(join(folder, 'dist/THIRD-PARTY.txt'), thirdPartyNotice(project, inputs));
  await build({
    absWorkingDir: project,
    entryPoints: [...entries.map((name) => ({ out: name, in: sourceOf(name) ?? name })), ...parts],
    outdir: join(folder, 'dist'),
    outExtension: { '.js': extension },
    bundle: true,
    format,
    minifySyntax: true,
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
    // Jest cannot import() in CommonJS.
    supported: { 'dynamic-import': format === 'esm' },
    plugins: [lazyImports(extension)],
  });
}

function lazyImports(extension: string): Plugin {
  return {
    name: 'lazy-imports',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\// }, ({ path, kind }) => {
        if (kind !== 'dynamic-import' && kind !== 'require-call') return undefined;
        return { path: `./${parse(path).name}${extension}`, external: true };
      });
    },
  };
}

async function declare(entries: readonly string[], folder: string): Promise<void> {
  const types = mkdtempSync(join(tmpdir(), 'auth-service-client-'));
  try {
    emitDeclarations(types);
    for (const entry of entries) moveDeclaration(types, entry);
    copyDeclarations(join(types, 'client'), join(folder, 'dist'), entries);
  } finally {
    rmSync(types, { recursive: true });
  }
}

function emitDeclarations(outDir: string): void {
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', '.', '--outDir', outDir];
  execFileSync(join(project, 'node_modules/.bin/tsc'), ['-p', 'client', ...options], {
    cwd: project,
    stdio: 'inherit',
  });
}

/** The declaration of an option's entry point moves to those of the client, which it imports as `#client/…`. */
function moveDeclaration(types: string, entry: string): void {
  const [from, to] = [`${sourceOf(entry)}`.replace(/ts$/, 'd.ts'), `client/${entry}.d.ts`];
  if (from === to) return;
  writeFileSync(join(types, to), readFileSync(join(types, from), 'utf8').replaceAll("'#client/", "'./"));
}

/** A folder for an entry point, for TypeScript's `node10` resolution and other tools that ignore `exports`. */
function describeToOldResolvers(entry: string, folder: string): void {
  mkdirSync(join(folder, entry), { recursive: true });
  const description = { main: `../dist/${entry}.cjs`, types: `../dist/${entry}.d.cts` };
  writeFileSync(join(folder, entry, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
}
