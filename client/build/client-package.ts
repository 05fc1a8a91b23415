import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the package is written, beside its manifest, README, changelog and licence, which are kept there. */
export const packageFolder = join(import.meta.dirname, '../package');

/** The package as applications see it; its `name` is the only place that says how they import it. */
export interface ClientPackage {
  readonly name: string;
  readonly version: string;
  /** What can be imported, by its path in the package: `.` and, for example, `./testing`. */
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Reads the manifest of the package. */
export function readClientPackage(): ClientPackage {
  return JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
}

/** The entry points without their `./`, by the names that their source and their bundle have; the main one is `index`. */
export function entryNames({ exports }: ClientPackage): string[] {
  const paths = Object.keys(exports).filter((path) => !path.endsWith('.json'));
  return paths.map((path) => (path === '.' ? 'index' : path.slice('./'.length)));
}
