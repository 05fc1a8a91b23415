import { type ResolveHookSync, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The copy of the project that Stryker has changed. */
const sandbox = pathToFileURL(`${process.cwd()}/`).href;
const packages = `${sandbox}node_modules/`;
const globals = new URL('./jest-globals.ts', import.meta.url).href;
let copies = 0;
let isolated: string | undefined;

/** Imports a file of the changed project as it is. */
export async function importChanged(path: string, query = '') {
  return await import(`${pathToFileURL(join(process.cwd(), path)).href}${query}`);
}

/** Imports a file with a new copy of each module of the project that it needs; packages stay loaded. */
export async function importAnew(path: string): Promise<unknown> {
  isolated = undefined;
  return await importChanged(path, `?copy=${++copies}`);
}

/** What is imported meanwhile has copies of its own. */
export async function importIsolated(run: () => Promise<void>): Promise<void> {
  isolated = `?copy=${++copies}`;
  await run().finally(() => {
    isolated = undefined;
  });
}

/** What is imported from now on has copies of its own. */
export function resetModules(): void {
  isolated = `?copy=${++copies}`;
}

/** Hands the number of the copy on from each module to those that it imports. */
const handOn: ResolveHookSync = (specifier, context, next) => {
  const [copy] = /\?copy=\d+$/.exec(context.parentURL ?? '') ?? [];
  if (copy === undefined) return next(specifier, context);
  if (specifier === '@jest/globals') return next(globals, context);
  const resolved = next(specifier, context);
  const isOurs = resolved.url.startsWith(sandbox) && !resolved.url.startsWith(packages) && resolved.url.endsWith('.ts');
  return isOurs ? { ...resolved, url: `${resolved.url}${isolated ?? copy}` } : resolved;
};
registerHooks({ resolve: handOn });
