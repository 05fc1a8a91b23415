import { randomBytes } from 'node:crypto';
import { readKeptSecret } from './kept-secret.ts';
import { LocalError } from './local-error.ts';

/** A key pair like that of an IAM user, but good for the function URL of this machine and nowhere else. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A new pair in the shape of AWS's: 20 capital letters and digits, and 40 characters. */
export function createAccessKey(): AccessKey {
  const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const suffix = Array.from(randomBytes(11), (byte) => base32[byte % 32]).join('');
  return { accessKeyId: `AKIALOCAL${suffix}`, secretAccessKey: randomBytes(30).toString('base64') };
}

/** The pair of this machine's operator; kept in a file. */
export async function readAccessKey(file: string): Promise<AccessKey> {
  const kept = await readKeptSecret(file, () => {
    const { accessKeyId, secretAccessKey } = createAccessKey();
    return `${accessKeyId} ${secretAccessKey}`;
  });
  const [, accessKeyId, secretAccessKey] = /^(AKIALOCAL[A-Z2-7]{11}) ([A-Za-z0-9+/]{40})$/.exec(kept) ?? [];
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  throw new LocalError(`${file} does not hold an access key: npm start -- --reset makes a new one.`);
}
