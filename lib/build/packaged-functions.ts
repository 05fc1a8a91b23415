import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionBundle } from '../functions/bundle-function.ts';

/** Takes the place of `bundle-function.ts` in the package, which contains the functions as bundles. */
export function bundleFunction(name: string): FunctionBundle {
  const directory = join(import.meta.dirname, '../functions', name);
  return { directory, bytes: statSync(join(directory, 'index.js')).size };
}
