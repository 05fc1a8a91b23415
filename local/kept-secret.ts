import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The text in a file, which is made on first use, for its owner's eyes only. */
export async function readKeptSecret(file: string, make: () => string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, make(), { mode: 0o600, flag: 'wx' }).catch(ignoreExisting);
  return (await readFile(file, 'utf8')).trim();
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
