import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The declarations that the compiler has emitted, and those of them that a package needs. */
export interface Declarations {
  /** The folder with the emitted declarations. */
  readonly from: string;
  readonly to: string;
  /** Their names without `.d.ts`. */
  readonly entries: readonly string[];
}

const importedFile = /(from |import\()'(\.[^']+)\.ts'/g;

/** Copies declarations and those that they import, for ES modules (`.d.ts`) and once more for CommonJS (`.d.cts`). */
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
  // A set goes on to what is added while it is read.
  for (const name of names) {
    const text = readFileSync(join(from, `${name}.d.ts`), 'utf8');
    for (const [, , imported = ''] of text.matchAll(importedFile)) names.add(join(dirname(name), imported));
  }
  return names;
}
