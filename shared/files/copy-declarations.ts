import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const importedFile = /(from |import\()'(\.[^']+)\.ts'/g;

/** Copies the declarations of entry points and their imports, for ES modules (`.d.ts`) and for CommonJS (`.d.cts`). */
export function copyDeclarations(from: string, to: string, entries: readonly string[]): void {
  for (const name of reachableFrom(from, entries)) {
    const text = readFileSync(join(from, `${name}.d.ts`), 'utf8');
    mkdirSync(dirname(join(to, name)), { recursive: true });
    // An import with the extension of JavaScript is resolved by every version of TypeScript.
    writeFileSync(join(to, `${name}.d.ts`), text.replace(importedFile, "$1'$2.js'"));
    writeFileSync(join(to, `${name}.d.cts`), text.replace(importedFile, "$1'$2.cjs'"));
  }
}

function reachableFrom(from: string, entries: readonly string[]): Set<string> {
  const names = new Set(entries);
  // Iterating over a set includes elements that are added during the iteration.
  for (const name of names) {
    const text = readFileSync(join(from, `${name}.d.ts`), 'utf8');
    for (const [, , imported = ''] of text.matchAll(importedFile)) names.add(join(dirname(name), imported));
  }
  return names;
}
