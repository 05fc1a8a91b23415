import { randomBytes } from 'node:crypto';
import { readKeptSecret } from './kept-secret.ts';
import { LocalError } from './local-error.ts';

/** The 32 bytes, in base64, that stand for the KMS key on this machine; kept in a file. */
export async function readRootKey(file: string): Promise<string> {
  const root = await readKeptSecret(file, () => randomBytes(32).toString('base64'));
  if (/^[A-Za-z0-9+/]{43}=$/.test(root)) return root;
  throw new LocalError(`${file} does not hold 32 bytes in base64: npm start -- --reset makes a new one.`);
}
