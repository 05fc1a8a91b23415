import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { serviceOperations } from '#shared/contract/operations.ts';
import { trimSdk } from './trim-sdk.ts';

const projectDirectory = join(import.meta.dirname, '../..');

/** The options with which esbuild builds `<name>/index.js` from each `functions/<name>.ts`. */
export function bundleOptions(names: readonly string[]) {
  return {
    absWorkingDir: projectDirectory,
    entryPoints: names.map((name) => ({ in: `functions/${name}.ts`, out: `${name}/index` })),
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

// `node lib/functions/build-functions.ts <folder>`, as `bundleFunction` runs it: each function into `<folder>/<name>/index.js`.
if (process.argv[1] === import.meta.filename) {
  const [folder = ''] = process.argv.slice(2);
  const sources = await readdir(join(projectDirectory, 'functions'));
  await build({ ...bundleOptions(sources.map((source) => basename(source, '.ts'))), outdir: folder });
}
