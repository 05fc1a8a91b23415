import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The output folder, which also contains the manifest, README, changelog and licence of the package. */
export const packageFolder = join(import.meta.dirname, '../package');

/** The manifest of the package; its `name` is the only definition of the import path. */
export interface ClientPackage {
  readonly name: string;
  readonly version: string;
  /** The entry points by their path in the package: `.` and, for example, `./testing`. */
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Reads the manifest of the package. */
export function readClientPackage(): ClientPackage {
  return JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
}

/** The names of the entry points, which are those of their source and bundle; the main one is `index`. */
export function entryNames({ exports }: ClientPackage): string[] {
  const paths = Object.keys(exports).filter((path) => !path.endsWith('.json'));
  return paths.map((path) => (path === '.' ? 'index' : path.slice('./'.length)));
}
