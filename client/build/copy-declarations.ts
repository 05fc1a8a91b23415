import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The declarations to copy, and where. */
export interface Declarations {
  /** The folder with the emitted declarations. */
  readonly from: string;
  readonly to: string;
  /** The names of the entry points, without `.d.ts`. */
  readonly entries: readonly string[];
}

const importedFile = /(from |import\()'(\.[^']+)\.ts'/g;

/** Copies declarations and their imports, for ES modules (`.d.ts`) and for CommonJS (`.d.cts`). */
export function copyDeclarations({ from, to, entries }: Declarations): void {
  for (const name of reachable(from, entries)) {
    const text = readFileSync(join(from, `${name}.d.ts`), 'utf8');
    mkdirSync(dirname(join(to, name)), { recursive: true });
    // An import with the extension of JavaScript is resolved by every version of TypeScript.
    writeFileSync(join(to, `${name}.d.ts`), text.replace(importedFile, "$1'$2.js'"));
    writeFileSync(join(to, `${name}.d.cts`), text.replace(importedFile, "$1'$2.cjs'"));
  }
}

function reachable(from: string, entries: readonly string[]): Set<string> {
  const names = new Set(entries);
  // Iterating over a set includes elements that are added during the iteration.
  for (const name of names) {
    const text = readFileSync(join(from, `${name}.d.ts`), 'utf8');
    for (const [, , imported = ''] of text.matchAll(importedFile)) names.add(join(dirname(name), imported));
  }
  return names;
}
