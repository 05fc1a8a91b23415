import { dirname, join, relative } from 'node:path';
import { root, sourceFolders, textOf } from './source-files.ts';

/** One import of a source file. */
export interface Import {
  readonly from: string;
  /** As the file names it. */
  readonly specifier: string;
  /** The path of a file from the project's folder, or the name of a package. */
  readonly to: string;
}

/** The imports of a source file, with those of types and those at run time. */
export function importsOf(file: string): Import[] {
  return specifiersOf(file).map((specifier) => ({ from: file, specifier, to: resolve(file, specifier) }));
}

function specifiersOf(file: string): string[] {
  const matches = textOf(file).matchAll(/^(?:import|export)\s(?:[^;]*?from\s+)?'([^']+)'|\bimport\('([^']+)'\)/gms);
  return [...matches].map(([, named, dynamic]) => named ?? dynamic ?? '');
}

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (!specifier.startsWith('.')) return specifier;
  return relative(root, join(root, dirname(file), specifier));
}

/** Whether what is imported is in a source folder; otherwise it is a package or a test. */
export function isOurs(path: string): boolean {
  return sourceFolders.some((folder) => path.startsWith(`${folder}/`));
}

/** The files of a cycle of imports, of which the first is also the last; undefined if there is none. */
export function findCycle(files: readonly string[], imports: readonly Import[]): string[] | undefined {
  const importsFrom = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const { to } of importsFrom.get(file) ?? []) {
      const cycle = visit(to, [...path, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of files) {
    const cycle = visit(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
