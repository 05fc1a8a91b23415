import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { trimSdk } from './trim-sdk.ts';

const projectDirectory = join(import.meta.dirname, '..');

/** How esbuild makes one file of `functions/<name>.ts`. */
export function bundleOptions(name: string) {
  return {
    absWorkingDir: projectDirectory,
    entryPoints: [`functions/${name}.ts`],
    bundle: true,
    platform: 'node',
    target: 'node24',
    // An ES module that imports node:http starts 21 ms later than CommonJS that requires it.
    format: 'cjs',
    // The packages' ES modules can be tree-shaken, their CommonJS cannot: 549 KB become 344 KB.
    mainFields: ['module', 'main'],
    alias: { '@aws-sdk/credential-provider-node': join(import.meta.dirname, 'environment-credentials.ts') },
    plugins: [trimSdk],
    treeShaking: true,
    minify: true,
    keepNames: false,
    // What Node puts around a CommonJS module, for a loader that takes Node's place.
    banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
    footer: { js: '})' },
    // One byte a character, which is how the loader reads it.
    charset: 'ascii',
    legalComments: 'none',
    // A map would have to be shipped and loaded with the code; as the build is reproducible, one can be made from the
    // commit when a stack trace has to be read.
    sourcemap: false,
    logLevel: 'warning',
  } as const satisfies BuildOptions;
}
