import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';
import { makeCodeCache } from './make-code-cache.ts';

/**
 * `node lib/build-functions.ts <folder> [--code-cache]`: bundles every function into a folder of its name. `bundleFunction`
 * runs it.
 */
const [folder = '', option] = process.argv.slice(2);
const sources = await readdir(join(import.meta.dirname, '../functions'));
await Promise.all(sources.map((source) => buildFunction(basename(source, '.ts'))));

async function buildFunction(name: string): Promise<void> {
  const directory = join(folder, name);
  await build({ ...bundleOptions(name), outfile: join(directory, 'function.js') });
  // Without this the folder would be an ES module wherever a package.json above it says so, as this project's does.
  await writeFile(join(directory, 'package.json'), '{"type":"commonjs"}\n');
  await copyFile(join(import.meta.dirname, 'load-function.cjs'), join(directory, 'index.js'));
  if (option === '--code-cache') await makeCodeCache(name, directory);
}
