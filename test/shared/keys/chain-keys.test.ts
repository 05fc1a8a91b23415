import { createSecretKey, hkdfSync } from 'node:crypto';
import { expect, jest, test } from '@jest/globals';

const rootOf = (byte: number) => Buffer.alloc(32, byte);

/** Starts with roots of these versions, each of the bytes of its number. */
async function coldStart(versions = ['h1', 'h2']): Promise<typeof import('#shared/keys/chain-keys.ts')> {
  const bytes = (version: string) => rootOf(Number(version.slice(1))).toString('base64');
  process.env.ROOT_KEYS = versions.map((version) => `${version}=local:${bytes(version)}`).join();
  jest.resetModules();
  return import('#shared/keys/chain-keys.ts');
}

function expectedKey(root: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', root, '', 'auth-service/change-chain/1', 32));
}

test('new Changes are chained with the key of the latest root', async () => {
  const { latestChainKey } = await coldStart();
  const { root, key } = await latestChainKey();
  expect(root).toBe('h2');
  expect(key.export()).toEqual(expectedKey(rootOf(2)));
});

test('a chain key is HKDF-SHA256 of its root', async () => {
  const { chainKey, deriveChainKey } = await coldStart();
  expect((await chainKey('h1'))?.export()).toEqual(expectedKey(rootOf(1)));
  expect(deriveChainKey(createSecretKey(rootOf(3))).export()).toEqual(expectedKey(rootOf(3)));
});

test('a chain key is derived once per root', async () => {
  const { chainKey } = await coldStart();
  const key = await chainKey('h1');
  expect(await chainKey('h1')).toBe(key);
  expect(await chainKey('h2')).not.toBe(key);
});

test('there is no chain key for an unknown root version', async () => {
  const { chainKey } = await coldStart();
  await expect(chainKey('h3')).resolves.toBeUndefined();
});

test('Changes from before histories had roots are verified with those of API keys, and none with the root of an option', async () => {
  const { chainKey, latestChainKey } = await coldStart(['k1', 'h2', 'w3']);
  expect((await chainKey('k1'))?.export()).toEqual(expectedKey(rootOf(1)));
  await expect(chainKey('w3')).resolves.toBeUndefined();
  expect(await latestChainKey()).toMatchObject({ root: 'h2' });
});
