import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A function's code, ready to be an asset. */
export interface FunctionBundle {
  /** The folder that becomes the function's code. */
  readonly directory: string;
  /** Size of the code, minified and not compressed. */
  readonly bytes: number;
}

let built: ReadonlyMap<string, Buffer> | undefined;

/**
 * Bundles `functions/<name>.ts` into `<outDir>/<name>/index.js`. The same source gives the same files, so an unchanged
 * function keeps its asset's hash and is not deployed again.
 */
export function bundleFunction(name: string, outDir: string): FunctionBundle {
  // All are built together, once per process: the stack's constructs ask for one at a time.
  built ??= buildFunctions();
  const code = built.get(name);
  if (code === undefined) throw new Error(`There is no functions/${name}.ts`);
  const directory = join(outDir, name);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'index.js'), code);
  // Otherwise Node treats index.js as an ES module if a package.json above it says so, as this project's does.
  writeFileSync(join(directory, 'package.json'), '{"type":"commonjs"}\n');
  return { directory, bytes: code.byteLength };
}

/** In a child process, because constructs cannot await and esbuild runs plugins only in its asynchronous API. */
function buildFunctions(): ReadonlyMap<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-bundles-'));
  const { NODE_OPTIONS: _, ...env } = process.env;
  const script = join(import.meta.dirname, 'build-functions.ts');
  try {
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, folder], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name, 'index.js'))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
