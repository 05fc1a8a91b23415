import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';

/** `node lib/functions/build-functions.ts <folder>`: bundles each function into `<folder>/<name>/index.js`. `bundleFunction` runs it. */
const [folder = ''] = process.argv.slice(2);
const sources = await readdir(join(import.meta.dirname, '../../functions'));
await build({ ...bundleOptions(sources.map((source) => basename(source, '.ts'))), outdir: folder });
