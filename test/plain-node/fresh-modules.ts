import { type LoadHookSync, type ResolveHookSync, registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stripOnce } from './strip-once.ts';

const globals = new URL('./jest-globals.ts', import.meta.url).href;
let copies = 0;
let isolated: string | undefined;

/** Imports a file as it is; relative to the current folder, which may be the copy of the project that Stryker has changed. */
export async function importFile(path: string, query = '') {
  return await import(`${pathToFileURL(resolve(path)).href}${query}`);
}

/** Imports a file with a new copy of each module of the project that it needs; packages stay loaded. */
export async function importCopy(path: string): Promise<unknown> {
  isolated = undefined;
  return await importFile(path, `?copy=${++copies}`);
}

/** Modules imported in the meantime have separate copies. */
export async function importIsolated(run: () => Promise<void>): Promise<void> {
  isolated = `?copy=${++copies}`;
  await run().finally(() => {
    isolated = undefined;
  });
}

/** Modules imported from now on have separate copies. */
export function resetModules(): void {
  isolated = `?copy=${++copies}`;
}

/** Hands the number of the copy on from each module to those that it imports. */
const handOn: ResolveHookSync = (specifier, context, next) => {
  const [copy] = /\?copy=\d+$/.exec(context.parentURL ?? '') ?? [];
  if (copy === undefined) return next(specifier, context);
  if (specifier === '@jest/globals') return next(globals, context);
  const resolved = next(specifier, context);
  const isOurs = resolved.url.endsWith('.ts') && !resolved.url.includes('/node_modules/');
  return isOurs ? { ...resolved, url: `${resolved.url}${isolated ?? copy}` } : resolved;
};

const loadStripped: LoadHookSync = (url, context, next) => {
  const [path, isCopy] = url.split(/(?=\?copy=\d+$)/);
  if (path === undefined || isCopy === undefined) return next(url, context);
  return { format: 'module', source: stripOnce(fileURLToPath(path)), shortCircuit: true };
};
registerHooks({ resolve: handOn, load: loadStripped });
