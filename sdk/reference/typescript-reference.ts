import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { optionChangeSchemas } from '#shared/contract/option-types.ts';
import { buildClient } from '../../client/build/build-client.ts';
import { entryNames, readClientPackage } from '../../client/build/client-package.ts';
import { project, runProgram } from './run-program.ts';

const typedocFolder = join(project, '.ci/typedoc');
export const typedoc = join(typedocFolder, 'node_modules/typedoc/bin/typedoc');
const npm = { from: 'npm, which comes with Node.js' };

/** Writes the pages of the SDK for TypeScript, of the types in its package; rejects if a public member has no comment. */
export async function typescriptReference(target: string): Promise<void> {
  await installTypedoc();
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-reference-'));
  try {
    await buildClient(folder);
    await documentTypes(folder, target);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A compiler of its own, because that of the project is no library that typedoc can use. */
async function installTypedoc(): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync(join(typedocFolder, 'package.json'), 'utf8'));
  const manifest = join(typedocFolder, 'node_modules/typedoc/package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === dependencies.typedoc) return;
  await runProgram('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', typedocFolder], npm);
}

/** Types that appear in others, but have no page: callers never name them. */
const unnamed = ['Branded', 'Named', 'OnlyKeysOf', 'Page', ...Object.keys(optionChangeSchemas)];
/** Those of the same names as what is exported: the interface of the class, and the codes of the service alone. */
const alike = ['client-interface.d.ts:AuthServiceClient', 'service-contract.d.ts:ErrorCode'];

/** Writes the pages of a built package. */
export async function documentTypes(folder: string, target: string): Promise<void> {
  const entries = entryNames(readClientPackage()).map((name) => join(folder, 'dist', `${name}.d.ts`));
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    strict: true,
    types: [],
  };
  const options = {
    entryPoints: entries,
    tsconfig: join(folder, 'tsconfig.json'),
    out: target,
    readme: join(folder, 'README.md'),
    disableSources: true,
    excludeInternal: true,
    excludePrivate: true,
    validation: { notExported: true, invalidLink: true, notDocumented: true },
    intentionallyNotExported: [...unnamed, ...alike.map((each) => `dist/${each}`)],
    treatWarningsAsErrors: true,
    treatValidationWarningsAsErrors: true,
    logLevel: 'Warn',
  };
  writeFileSync(options.tsconfig, JSON.stringify({ compilerOptions, files: entries }));
  writeFileSync(join(folder, 'typedoc.json'), JSON.stringify(options));
  await runProgram(process.execPath, [typedoc, '--options', join(folder, 'typedoc.json')], { from: 'Node.js' });
}
