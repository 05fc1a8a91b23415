import { describe, expect, test } from '@jest/globals';
import { algorithmName, algorithmOf, algorithms, macBytesOf } from '#shared/signature/algorithm.ts';
import { computeMac, createMacKey } from '#shared/signature/mac.ts';

const plainId = 'svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX';

test.each([plainId, `${plainId}_sha1`, 'svk_of-anything', ''])(
  'a key id that states no algorithm uses hmac-sha256: %j',
  (id) => {
    expect(algorithmName(algorithmOf(id))).toBe('hmac-sha256');
  },
);

test('no id can state two algorithms', () => {
  for (const algorithm of algorithms) {
    const { keyIdSuffix } = algorithm;
    expect(keyIdSuffix).toMatch(/^(_[a-z\d]+)?$/);
    expect(algorithms.filter((other) => other.keyIdSuffix === keyIdSuffix)).toEqual([algorithm]);
  }
});

describe.each(algorithms)('HMAC with $hash', (algorithm) => {
  const { keyIdSuffix, hash } = algorithm;

  test('is stated by the ids of its keys', () => {
    expect(algorithmOf(plainId + keyIdSuffix)).toBe(algorithm);
  });

  test('has MACs of the stated length, the same in Node and in Web Crypto', async () => {
    const mac = computeMac('base', createMacKey('secret'), algorithm);
    const bytes = (text: string) => new TextEncoder().encode(text);
    const key = await crypto.subtle.importKey('raw', bytes('secret'), { name: 'HMAC', hash }, false, ['sign']);
    expect(mac).toHaveLength(macBytesOf(algorithm));
    expect(mac).toEqual(Buffer.from(await crypto.subtle.sign('HMAC', key, bytes('base'))));
  });
});
