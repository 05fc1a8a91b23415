import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectDirectory } from './function-files.ts';

/** What a synthesis need not compute again. It may be deleted at any time. */
const cache = join(projectDirectory, 'node_modules/.cache/auth-service');

/** The number of builds that are kept, for a return to an earlier commit and for concurrent runs. */
const keptBuilds = 5;

const manifestName = 'inputs.json';

/** Returns the text's hash. */
export function hashOf(...texts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(createHash('sha256').update(text).digest());
  return hash.digest('hex').slice(0, 32);
}

/** The key of a build that depends on these texts, on Node and on the packages, for which the lock file stands. */
export function keyOfBuild(...texts: readonly string[]): string {
  const lock = join(projectDirectory, 'package-lock.json');
  return hashOf(process.version, ...texts, existsSync(lock) ? readFileSync(lock) : '');
}

/**
 * Returns a folder that `build` has filled from the files that it returned, relative to the project: an earlier one if none of
 * them has changed since, nor the key.
 */
export function buildOnce(kind: string, key: string, build: (folder: string) => readonly string[]): string {
  const builds = join(cache, kind);
  const known = foldersOf(builds).find((folder) => isCurrent(folder, key));
  if (known !== undefined) return known;
  const temporary = join(builds, `making-${randomUUID()}`);
  mkdirSync(temporary, { recursive: true });
  try {
    const inputs = Object.fromEntries(build(temporary).map((file) => [file, hashOfFile(file)]));
    writeFileSync(join(temporary, manifestName), JSON.stringify({ key, inputs }));
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
  const folder = join(builds, randomUUID());
  renameSync(temporary, folder);
  for (const old of foldersOf(builds).slice(keptBuilds)) rmSync(old, { recursive: true, force: true });
  return folder;
}

/** Whether something with this hash has been remembered. */
export function isRemembered(kind: string, hash: string): boolean {
  return existsSync(join(cache, kind, hash));
}

/** Remembers that something with this hash was found to be right. */
export function remember(kind: string, hash: string): void {
  const path = join(cache, kind, hash);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
}

/** The finished builds, the newest first. */
function foldersOf(builds: string): string[] {
  if (!existsSync(builds)) return [];
  const finished = readdirSync(builds).filter((name) => !name.startsWith('making-'));
  const madeAt = (name: string) => statSync(join(builds, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return finished.sort((one, other) => madeAt(other) - madeAt(one)).map((name) => join(builds, name));
}

function isCurrent(folder: string, key: string): boolean {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, manifestName), 'utf8'));
    const inputs = Object.entries<string>(manifest.inputs);
    return manifest.key === key && inputs.every(([file, hash]) => hashOfFile(file) === hash);
  } catch {
    // A file is gone, or another run has deleted the folder.
    return false;
  }
}

function hashOfFile(file: string): string {
  return hashOf(readFileSync(join(projectDirectory, file)));
}
