import { readFileSync } from 'node:fs';
import { type LoadHookSync, type ResolveHookSync, registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stripOnce } from '../plain-node/strip-once.ts';
import { type BrokenCondition, brokenConditions } from './broken-conditions.ts';

/** One process's copy of the code under test. */
export type Code = typeof import('./operations.ts');

const project = pathToFileURL(`${import.meta.dirname}/../../`).href;
/** How long every other process caches the keys of an application (`KEY_STATE_CACHE_SECONDS`). */
export const keyStateCacheSeconds = 5;

/** How long before a call its process may have read the cached application. */
export function cachedMilliseconds(operation: string): number {
  return operation === 'get-access' ? keyStateCacheSeconds * 1000 : 0;
}

let own: readonly Code[] = [];
let loaded: Code[] = [];
let copiesMade = 0;
let isPassingOn = false;

/**
 * Loads this many copies of the code under test, each with its own module state; 0 uses this process's own modules.
 * Later calls return the same copies.
 */
export async function loadCode(copies: number): Promise<readonly Code[]> {
  if (copies === 0) {
    own = [await import('./operations.ts')];
    return own;
  }
  if (!isPassingOn) registerHooks({ resolve: passOn, load: loadCopy });
  isPassingOn = true;
  while (loaded.length < copies) {
    process.env.KEY_STATE_CACHE_SECONDS = String((loaded.length % 2) * keyStateCacheSeconds);
    loaded.push((await import(`./operations.ts?process=${copiesMade++}`)) as Code);
  }
  return loaded;
}

/** Passes the number of a process on to the modules of the service and the SDK that its modules import. */
const passOn: ResolveHookSync = (specifier, context, next) => {
  const resolved = next(specifier, context);
  const [query] = /\?process=\d+$/.exec(context.parentURL ?? '') ?? [];
  const isOurs = ['shared/', 'client/', 'functions/', 'options/'].some((folder) =>
    resolved.url.startsWith(`${project}${folder}`),
  );
  return query !== undefined && isOurs ? { ...resolved, url: `${resolved.url}${query}` } : resolved;
};

/** Everything that is loaded so far. */
export function loadedCode(): readonly Code[] {
  return [...own, ...loaded];
}

/** Makes the next call load the code again. */
export function forgetCode(): void {
  loaded = [];
}

/** Removes exactly one condition from the code that is loaded from now on. */
export function breakCode(name: string): void {
  const condition = brokenConditions[name];
  if (condition === undefined)
    throw new Error(`There is no condition ${name}: ${Object.keys(brokenConditions).join(', ')}`);
  brokenSource(condition);
  broken = condition;
  forgetCode();
}

let broken: BrokenCondition | undefined;

/** The code of one process, in which the types are stripped once for all, and from which a condition may be removed. */
const loadCopy: LoadHookSync = (url, context, next) => {
  const [address = '', query] = url.split('?');
  if (broken !== undefined && address === `${project}${broken.file}`)
    return { format: 'module', source: stripTypeScriptTypes(brokenSource(broken)), shortCircuit: true };
  if (query === undefined || !address.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: stripOnce(fileURLToPath(address)), shortCircuit: true };
};

/** Returns the file without the condition; throws unless it occurs exactly once. */
function brokenSource({ file, text, instead }: BrokenCondition): string {
  const source = readFileSync(fileURLToPath(`${project}${file}`), 'utf8');
  if (source.split(text).length !== 2) throw new Error(`${file} does not contain exactly once: ${text}`);
  return source.replace(text, () => instead);
}
