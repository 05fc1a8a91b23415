import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

interface LockedPackage {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'));
const packages: Readonly<Record<string, LockedPackage>> = lock.packages;

test('every optional package is locked, also those for other platforms, or npm ci refuses the lock file', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  );
  expect(missing).toEqual([]);
});

function isLocked(path: string, name: string): boolean {
  return `node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages;
}
