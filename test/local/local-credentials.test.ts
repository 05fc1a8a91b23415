import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createAccessKey, readAccessKey, readRootKey } from '../../local/local-credentials.ts';
import { runOnFullDisk } from '../support/run-on-full-disk.ts';
import { makeFolder } from './write-assembly.ts';

test("an access key has AWS's format", () => {
  const { accessKeyId, secretAccessKey } = createAccessKey();
  expect(accessKeyId).toMatch(/^AKIA[A-Z2-7]{16}$/);
  expect(secretAccessKey).toMatch(/^[A-Za-z0-9+/]{40}$/);
  expect(createAccessKey()).not.toEqual({ accessKeyId, secretAccessKey });
});

test('is created once, readable only by its owner', async () => {
  const file = join(await makeFolder(), 'new', 'access-key');
  const made = await readAccessKey(file);
  expect(await readAccessKey(file)).toEqual(made);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('an interrupted write of the root key is repaired by the next start, in a folder accessible only to its owner', async () => {
  const folder = join(await makeFolder(), 'new');
  const file = join(folder, 'root-key');
  const read = `import { readRootKey } from './local/local-credentials.ts'; await readRootKey(${JSON.stringify(file)});`;
  expect(runOnFullDisk(read, 0).status).not.toBe(0);
  expect(await readRootKey(file)).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  expect([file, folder].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
});

test.each(['', 'AKIALOCALAAAAAAAAAAA', 'AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'])(
  'is refused if damaged or real: %j',
  async (text) => {
    const file = join(await makeFolder(), 'access-key');
    writeFileSync(file, text);
    await expect(readAccessKey(file)).rejects.toThrow(/access-key does not contain an access key.*--reset/);
  },
);
