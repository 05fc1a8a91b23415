import { createSecretKey, hkdfSync } from 'node:crypto';
import { expect, jest, test } from '@jest/globals';

const rootOf = (byte: number) => Buffer.alloc(32, byte);

/** Starts with the roots `k1` and `k2`. */
async function coldStart(): Promise<typeof import('#shared/keys/chain-keys.ts')> {
  process.env.ROOT_KEYS = [1, 2].map((byte) => `k${byte}=local:${rootOf(byte).toString('base64')}`).join();
  jest.resetModules();
  return import('#shared/keys/chain-keys.ts');
}

function expectedKey(root: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', root, '', 'auth-service/change-chain/1', 32));
}

test('new Changes are chained with the key of the latest root', async () => {
  const { latestChainKey } = await coldStart();
  const { root, key } = await latestChainKey();
  expect(root).toBe('k2');
  expect(key.export()).toEqual(expectedKey(rootOf(2)));
});

test('a chain key is HKDF-SHA256 of its root', async () => {
  const { chainKey, deriveChainKey } = await coldStart();
  expect((await chainKey('k1'))?.export()).toEqual(expectedKey(rootOf(1)));
  expect(deriveChainKey(createSecretKey(rootOf(3))).export()).toEqual(expectedKey(rootOf(3)));
});

test('a chain key is derived once per root', async () => {
  const { chainKey } = await coldStart();
  const key = await chainKey('k1');
  expect(await chainKey('k1')).toBe(key);
  expect(await chainKey('k2')).not.toBe(key);
});

test('there is no chain key for an unknown root version', async () => {
  const { chainKey } = await coldStart();
  await expect(chainKey('k3')).resolves.toBeUndefined();
});
