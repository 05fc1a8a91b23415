import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LocalError } from './local-error.ts';

/** The 32 bytes, in base64, that stand for the KMS key on this machine; made on first use, for its owner's eyes only. */
export async function readRootKey(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' }).catch(ignoreExisting);
  const root = (await readFile(file, 'utf8')).trim();
  if (/^[A-Za-z0-9+/]{43}=$/.test(root)) return root;
  throw new LocalError(`${file} does not hold 32 bytes in base64: npm start -- --reset makes a new one.`);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
