import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createAccessKey, readAccessKey, readRootKey } from '../../local/local-credentials.ts';
import { runOnFullDisk } from '../support/run-on-full-disk.ts';
import { makeFolder } from './write-assembly.ts';

test('an access key has the shape of AWS', () => {
  const { accessKeyId, secretAccessKey } = createAccessKey();
  expect(accessKeyId).toMatch(/^AKIA[A-Z2-7]{16}$/);
  expect(secretAccessKey).toMatch(/^[A-Za-z0-9+/]{40}$/);
  expect(createAccessKey()).not.toEqual({ accessKeyId, secretAccessKey });
});

test('is made once and kept for its owner alone', async () => {
  const file = join(await makeFolder(), 'new', 'access-key');
  const made = await readAccessKey(file);
  expect(await readAccessKey(file)).toEqual(made);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a root key whose writing was cut off is made by the next start, in a folder for its owner alone', async () => {
  const folder = join(await makeFolder(), 'new');
  const file = join(folder, 'root-key');
  const read = `import { readRootKey } from './local/local-credentials.ts'; await readRootKey(${JSON.stringify(file)});`;
  expect(runOnFullDisk(read, 0).status).not.toBe(0);
  expect(await readRootKey(file)).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  expect([file, folder].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
});

test.each(['', 'AKIALOCALAAAAAAAAAAA', 'AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'])(
  'that is damaged or a real one is refused: %j',
  async (text) => {
    const file = join(await makeFolder(), 'access-key');
    writeFileSync(file, text);
    await expect(readAccessKey(file)).rejects.toThrow(/access-key does not hold an access key.*--reset/);
  },
);
