import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeWhole } from '#shared/files/whole-file.ts';
import { LocalError } from './local-error.ts';

/**
 * Region and credentials of the SDK's requests to emulators, which do not verify them. All clients use the same,
 * because DynamoDB Local keeps a separate database for each region and key id.
 */
export const localAccess = {
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
} as const;

/** A key pair in the format of an IAM user's, accepted only by the function URL of the local run. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Creates a key pair in AWS's format: 20 capital letters and digits, and 40 characters of base64. */
export function createAccessKey(): AccessKey {
  const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const suffix = Array.from(randomBytes(11), (byte) => base32[byte % 32]).join('');
  return { accessKeyId: `AKIALOCAL${suffix}`, secretAccessKey: randomBytes(30).toString('base64') };
}

/** Reads the key pair from a file, created on first use; throws a LocalError for any other content. */
export async function readAccessKey(file: string): Promise<AccessKey> {
  const text = await readOrCreate(file, () => {
    const { accessKeyId, secretAccessKey } = createAccessKey();
    return `${accessKeyId} ${secretAccessKey}`;
  });
  const [, accessKeyId, secretAccessKey] = /^(AKIALOCAL[A-Z2-7]{11}) ([A-Za-z0-9+/]{40})$/.exec(text) ?? [];
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  throw new LocalError(`${file} does not contain an access key: npm start -- --reset creates a new one.`);
}

/**
 * Reads the 32 bytes in base64 that replace the KMS key from a file, created on first use; throws a LocalError for any
 * other content.
 */
export async function readRootKey(file: string): Promise<string> {
  const root = await readOrCreate(file, () => randomBytes(32).toString('base64'));
  if (/^[A-Za-z0-9+/]{43}=$/.test(root)) return root;
  throw new LocalError(`${file} does not contain 32 bytes in base64: npm start -- --reset creates a new one.`);
}

/** Creates the file if it does not exist. A folder belongs to one run at a time (`lockFolder`). */
async function readOrCreate(file: string, create: () => string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  if (!existsSync(file)) writeWhole(file, create(), { isNew: true });
  return (await readFile(file, 'utf8')).trim();
}
