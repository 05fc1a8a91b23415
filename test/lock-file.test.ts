import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

interface LockedPackage {
  readonly integrity?: string;
  /** In the tarball of the package around it. */
  readonly inBundle?: true;
  /** To a folder of this project. */
  readonly link?: true;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const packages = readLock('package-lock.json');

function readLock(path: string): Readonly<Record<string, LockedPackage>> {
  return JSON.parse(readFileSync(join(import.meta.dirname, '..', path), 'utf8')).packages;
}

test('every optional package is locked, even for other platforms, as npm ci requires', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  );
  expect(missing).toEqual([]);
});

test('every package is locked with the hash of its tarball, even for other platforms, so that npm ci verifies it', () => {
  const apart = ['.ci/checks', '.ci/nodes', '.ci/typedoc', 'examples/login-next'].map((folder) =>
    readLock(`${folder}/package-lock.json`),
  );
  const installed = [packages, ...apart].flatMap((locked) => Object.entries(locked));
  const downloaded = installed.filter(([path, { inBundle, link }]) => /node_modules/.test(path) && !inBundle && !link);
  expect(downloaded.length).toBeGreaterThan(800);
  const unchecked = downloaded.filter(([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity));
  expect(unchecked.map(([path]) => path)).toEqual([]);
});

function isLocked(path: string, name: string): boolean {
  return `node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages;
}
