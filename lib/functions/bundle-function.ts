import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { serviceOperations } from '#shared/contract/operations.ts';
import { buildOnce, keyOfBuild } from './build-cache.ts';
import { functionFiles, projectDirectory } from './function-files.ts';
import { trimSdk } from './trim-sdk.ts';

/** A function's code, ready to be an asset. */
export interface FunctionBundle {
  /** The folder that becomes the function's code. */
  readonly directory: string;
  /** Size of the code, minified and not compressed. */
  readonly bytes: number;
}

let built: ReadonlyMap<string, Buffer> | undefined;

/**
 * Bundles the function's file into `<outDir>/<name>/index.js`. The same source gives the same files, so an unchanged
 * function keeps its asset's hash and is not deployed again.
 */
export function bundleFunction(name: string, outDir: string): FunctionBundle {
  // All are built together, once per process: the stack's constructs ask for one at a time.
  built ??= buildFunctions();
  const code = built.get(name);
  if (code === undefined) throw new Error(`There is no file of a function ${name}`);
  const directory = join(outDir, name);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'index.js'), code);
  // Otherwise Node treats index.js as an ES module if a package.json above it says so, as this project's does.
  writeFileSync(join(directory, 'package.json'), '{"type":"commonjs"}\n');
  return { directory, bytes: code.byteLength };
}

/** The code of all functions: of an earlier build, if none of its inputs has changed. */
function buildFunctions(): ReadonlyMap<string, Buffer> {
  const names = [...functionFiles.keys()];
  const folder = buildOnce('bundles', keyOfBuild(names.join()), (empty) => [...ownFiles, ...buildInto(empty)]);
  return new Map(names.map((name) => [name, readFileSync(join(folder, name, 'index.js'))]));
}

/** What decides how the functions are built, relative to the project. */
const ownFiles = [
  'package.json',
  ...['bundle-function.ts', 'environment-credentials.ts', 'trim-sdk.ts'].map((name) => `lib/functions/${name}`),
];

/**
 * In a child process that runs this file, because constructs cannot await, and esbuild runs plugins only in its asynchronous API.
 * Returns the files that the bundles are built from, without packages.
 */
function buildInto(folder: string): string[] {
  const { NODE_OPTIONS: _, ...env } = process.env;
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', import.meta.filename, folder], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return JSON.parse(readFileSync(join(folder, inputsName), 'utf8'));
}

const inputsName = 'built-from.json';

/** The options with which esbuild builds `<name>/index.js` from the file of each function. */
export function bundleOptions(names: readonly string[]) {
  return {
    absWorkingDir: projectDirectory,
    entryPoints: names.map((name) => ({ in: functionFiles.get(name) ?? name, out: `${name}/index` })),
    bundle: true,
    platform: 'node',
    target: 'node24',
    // An ES module that imports node:http starts 21 ms later than CommonJS that requires it.
    format: 'cjs',
    // Only the packages' ES modules can be tree-shaken: 549 KB become 344 KB.
    mainFields: ['module', 'main'],
    alias: { '@aws-sdk/credential-provider-node': join(import.meta.dirname, 'environment-credentials.ts') },
    plugins: [trimSdk, routesOnly],
    treeShaking: true,
    minify: true,
    keepNames: false,
    legalComments: 'none',
    // A source map would have to be shipped and loaded with the code. The build is reproducible, so one can be built from the
    // commit when a stack trace needs it.
    sourcemap: false,
    logLevel: 'warning',
  } as const satisfies BuildOptions;
}

/** The only function that needs just the routes of the records. */
const importer = /functions\/refuse-unknown-route\.ts$/;
const namespace = 'routes-only';

/**
 * Gives the function for unknown routes the methods and paths of the Service API without the schemas of its records: 5 KB of
 * code instead of 20. Anyone who probes paths at random invokes it.
 */
const routesOnly: Plugin = {
  name: namespace,
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^#shared\/contract\/operations\.ts$/ }, ({ path, importer: from }) =>
      importer.test(from) ? { path, namespace } : undefined,
    );
    onLoad({ filter: /.*/, namespace }, () => {
      const routes = Object.values(serviceOperations).map(({ name, method, path }) => [name, { method, path }]);
      return { contents: `export const serviceOperations = ${JSON.stringify(Object.fromEntries(routes))};` };
    });
  },
};

// In that child process: builds each function into `<folder>/<name>/index.js`.
if (process.argv[1] === import.meta.filename) {
  const [folder = ''] = process.argv.slice(2);
  const options = bundleOptions([...functionFiles.keys()]);
  const { build } = await import('esbuild');
  const { metafile } = await build({ ...options, outdir: folder, metafile: true });
  const inputs = Object.keys(metafile.inputs).filter((file) => !/^[\w-]+:|node_modules\//.test(file));
  writeFileSync(join(folder, inputsName), JSON.stringify(inputs));
}
