import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

interface LockedPackage {
  readonly integrity?: string;
  /** In the tarball of the package around it. */
  readonly inBundle?: true;
  /** To a folder of this project. */
  readonly link?: true;
  /** The only platforms on which it is installed. */
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
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

test('npm ci installs at most 700 packages on Linux x64: what only checks need is installed apart', () => {
  const installed = Object.entries(packages).filter(
    ([path, { link, os = ['linux'], cpu = ['x64'], libc = ['glibc'] }]) =>
      path.includes('node_modules/') && !link && os.includes('linux') && cpu.includes('x64') && libc.includes('glibc'),
  );
  expect(installed.length).toBeGreaterThan(400);
  expect(installed.length).toBeLessThanOrEqual(700);
});

function isLocked(path: string, name: string): boolean {
  return `node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages;
}
