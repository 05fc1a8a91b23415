import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');

/** The output folder, which also contains the manifest, README, changelog and licence of the package. */
export const packageFolder = join(import.meta.dirname, '../package');

/** The manifest of the package; its `name` is the only definition of the import path. */
export interface ClientPackage {
  readonly name: string;
  readonly version: string;
  /** The entry points by their path in the package: `.` and, for example, `./testing`. */
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Reads the manifest of the package, without the entry points of options that are not there. */
export function readClientPackage(): ClientPackage {
  const manifest: ClientPackage = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const exports = Object.entries(manifest.exports).filter(([path]) => isFile(path) || sourceOf(nameOf(path)));
  return { ...manifest, exports: Object.fromEntries(exports) };
}

/** The source of an entry point, as a path from the project's folder: in `client`, or in the folder `client` of an option. */
export function sourceOf(entry: string): string | undefined {
  const own = `client/${entry}.ts`;
  return existsSync(join(project, own)) ? own : globSync(`options/*/client/${entry}.ts`, { cwd: project })[0];
}

/** The names of the entry points, which are those of their source and bundle; the main one is `index`. */
export function entryNames({ exports }: ClientPackage): string[] {
  const paths = Object.keys(exports).filter((path) => !isFile(path));
  return paths.map(nameOf);
}

function isFile(path: string): boolean {
  return path.endsWith('.json');
}

function nameOf(path: string): string {
  return path === '.' ? 'index' : path.slice('./'.length);
}
