import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const project = join(import.meta.dirname, '../..');

/** Builds the client's package: one ES module, its types, and a package.json without dependencies. */
export async function buildClient(outDir: string): Promise<void> {
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  await bundle(join(outDir, 'index.js'));
  const types = mkdtempSync(join(tmpdir(), 'auth-service-client-'));
  try {
    emitDeclarations(types);
    copyReachable(join(types, 'client'), outDir, 'index');
  } finally {
    rmSync(types, { recursive: true });
  }
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(describePackage(), null, 2)}\n`);
}

/** Not minified, so that it can be read and debugged; applications minify it with their own bundler. */
async function bundle(outfile: string): Promise<void> {
  await build({
    absWorkingDir: project,
    entryPoints: ['client/index.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    minifySyntax: true,
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  });
}

function emitDeclarations(outDir: string): void {
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', '.', '--outDir', outDir];
  execFileSync(join(project, 'node_modules/.bin/tsc'), ['-p', 'client', ...options], {
    cwd: project,
    stdio: 'inherit',
  });
}

/** Copies a declaration and those that it imports, with `.js` in their imports, which every version of TypeScript resolves. */
function copyReachable(from: string, to: string, name: string, copied: Set<string> = new Set()): void {
  if (copied.has(name)) return;
  copied.add(name);
  const text = readFileSync(join(from, `${name}.d.ts`), 'utf8');
  writeFileSync(join(to, `${name}.d.ts`), text.replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  for (const [, imported = ''] of text.matchAll(/from '\.\/([\w-]+)\.ts'/g)) copyReachable(from, to, imported, copied);
}

/** Takes from the project's package.json only what matters to users of the client. */
function describePackage(): object {
  const { name, version, license } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  return {
    name,
    version,
    description: 'Client of auth-service: access and roles of users, by signed requests.',
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: { './client': { types: './index.d.ts', default: './index.js' } },
  };
}
