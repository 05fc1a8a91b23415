import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface FunctionBundle {
  /** The folder that becomes the function's code. */
  readonly directory: string;
  /** Size of the code, minified and not compressed. */
  readonly bytes: number;
  /** Changes with the code, and only with it. */
  readonly hash: string;
}

/** The processors that Lambda offers, as Node calls them. */
export type ProcessorArchitecture = 'arm64' | 'x64';

/** A bundle's files by their names. */
type Files = ReadonlyMap<string, Buffer>;

const built = new Map<boolean, ReadonlyMap<string, Files>>();

/**
 * Bundles `functions/<name>.ts` into `<outDir>/<name>`. The same source gives the same code and hash, so an unchanged
 * function is not deployed again. What V8 compiled of it is added where this machine has the processor that the function
 * will run on, as V8 refuses what was compiled on another. Default: this machine's.
 */
export function bundleFunction(name: string, outDir: string, architecture: string = process.arch): FunctionBundle {
  const files = allFunctions(architecture === process.arch).get(name);
  if (files === undefined) throw new Error(`There is no functions/${name}.ts`);
  const directory = join(outDir, name);
  mkdirSync(directory, { recursive: true });
  for (const [file, content] of files) writeFileSync(join(directory, file), content);
  return { directory, bytes: codeOf(files).reduce((sum, { byteLength }) => sum + byteLength, 0), hash: hashOf(files) };
}

/** All are built at once, and once in a process: the constructs of a stack ask for one after the other. */
function allFunctions(withCodeCache: boolean): ReadonlyMap<string, Files> {
  const known = built.get(withCodeCache) ?? buildFunctions(withCodeCache);
  built.set(withCodeCache, known);
  return known;
}

/**
 * In a process of its own, as constructs cannot wait and esbuild's plugins must. `RUNTIME_NODE` names another Node than
 * this one to compile with: V8 takes its code cache from the very build that made it (decisions/0016-code-cache.md).
 */
function buildFunctions(withCodeCache: boolean): ReadonlyMap<string, Files> {
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-bundles-'));
  const { NODE_OPTIONS: _, RUNTIME_NODE: node = process.execPath, ...env } = process.env;
  const script = join(import.meta.dirname, 'build-functions.ts');
  const options = withCodeCache ? ['--code-cache'] : [];
  try {
    execFileSync(node, ['--disable-warning=ExperimentalWarning', script, folder, ...options], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return new Map(readdirSync(folder).map((name) => [name, filesOf(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function filesOf(folder: string): Files {
  return new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file))]));
}

function codeOf(files: Files): Buffer[] {
  return [...files].filter(([file]) => file.endsWith('.js')).map(([, content]) => content);
}

/** The code cache differs from build to build, but what it is made from does not. */
function hashOf(files: Files): string {
  const hash = createHash('sha256');
  for (const code of codeOf(files)) hash.update(code).update('\n');
  return hash.update(files.has('function.cache') ? process.version : '').digest('hex');
}
