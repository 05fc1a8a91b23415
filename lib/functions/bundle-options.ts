import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { routesOnly } from './routes-only.ts';
import { trimSdk } from './trim-sdk.ts';

const projectDirectory = join(import.meta.dirname, '../..');

/** How esbuild makes `<name>/index.js` from each `functions/<name>.ts`. */
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
    // A map would have to be shipped and loaded with the code; as the build is reproducible, one can be made from the
    // commit when a stack trace has to be read.
    sourcemap: false,
    logLevel: 'warning',
  } as const satisfies BuildOptions;
}
