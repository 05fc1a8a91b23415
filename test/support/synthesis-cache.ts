import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const project = join(import.meta.dirname, '../..');
const cache = join(project, 'node_modules/.cache/auth-service/synthesis');

/** The files that a synthesized stack depends on, beside tests of options; the lock file represents the packages. */
const inputs = [
  '{bin,lib,shared,options,functions,docs,test/stack/built-dashboard}/**/*',
  '{cdk,package,package-lock,tsconfig}.json',
  'test/stack/add-unsafe-bucket.ts',
  'test/support/{synthesis-cache,synthesis-server,synthesized-app}.ts',
];

const testOfOption = /^options\/[^/]+\/test\//;

/** The number of folders that are kept, for a return to an earlier commit and for concurrent runs. */
const keptFolders = 5;

/** Hashes everything that the stack is generated from, including the version of Node.js. */
export function hashInputs(): string {
  const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch}\n`);
  for (const path of globSync(inputs, { cwd: project }).sort()) {
    if (testOfOption.test(path)) continue;
    const file = join(project, path);
    if (statSync(file).isFile())
      hash.update(`${path}\n`).update(createHash('sha256').update(readFileSync(file)).digest());
  }
  return hash.digest('hex').slice(0, 32);
}

/** Creates the cache folder of the current inputs, and deletes the folders that were least recently used. */
export function openCache(): string {
  const folder = join(cache, hashInputs());
  mkdirSync(folder, { recursive: true });
  utimesSync(folder, new Date(), new Date());
  const usedAt = (name: string) => statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const oldest = readdirSync(cache).sort((one, other) => usedAt(other) - usedAt(one));
  for (const name of oldest.slice(keptFolders)) rmSync(join(cache, name), { recursive: true, force: true });
  return folder;
}

/** Returns the cache path for the result of a request. */
export function pathFor(folder: string, request: unknown): string {
  const text = JSON.stringify(request, (_, value) => (isRecord(value) ? sortedEntries(value) : value));
  return join(folder, createHash('sha256').update(text).digest('hex').slice(0, 32));
}

/**
 * Lets `make` write a file or folder to a temporary path beside the target and renames it, so that concurrent runs see
 * all of it or nothing. If an input changed during this, the result stays at the temporary path, which is returned.
 */
export async function makeOnce(target: string, make: (temporary: string) => unknown): Promise<string> {
  if (existsSync(target)) return target;
  const temporary = `${target}-${randomUUID()}`;
  try {
    await make(temporary);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
  if (join(cache, hashInputs()) !== dirname(target)) return temporary;
  try {
    renameSync(temporary, target);
  } catch (error) {
    // A folder that a concurrent run has created cannot be replaced, nor does it need to be.
    if (!existsSync(target)) throw error;
    rmSync(temporary, { recursive: true });
  }
  return target;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortedEntries(record: Record<string, unknown>): [string, unknown][] {
  return Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1));
}
