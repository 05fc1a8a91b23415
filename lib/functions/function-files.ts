import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

export const projectDirectory = join(import.meta.dirname, '../..');

/** The file of each function by its name, relative to the project: of the core, of options, and of stacks that use the service. */
export const functionFiles: ReadonlyMap<string, string> = new Map(
  globSync(['functions/*.ts', 'options/*/functions/*.ts', 'lib/*/functions/*.ts'], { cwd: projectDirectory })
    .toSorted()
    .map((file) => [basename(file, '.ts'), file]),
);
