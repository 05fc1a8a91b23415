import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { AppId, KeyId } from '#shared/contract/fields.ts';
import { deriveSecret, formatKeyId, parseKeyId } from '#shared/keys/key-id.ts';
import { algorithmOf } from '#shared/signature/algorithm.ts';
import { computeMac, createMacKey } from '#shared/signature/mac.ts';

const keyId = 'svk_k1_billing_01JD0000000000000000000000' as KeyId;
const root = () => createSecretKey(Buffer.alloc(32, 7));

test('a key id contains the root version and the application', () => {
  const parts = { rootVersion: 'k1', appId: 'billing' as AppId, ulid: '01JD0000000000000000000000' };
  expect(formatKeyId(parts)).toBe(keyId);
  expect(parseKeyId(keyId)).toEqual({ keyId, rootVersion: 'k1', appId: 'billing' });
});

test.each([
  'svk_k0_billing_01JD0000000000000000000000',
  'svk_k1_Billing_01JD0000000000000000000000',
  'svk_k1_b_01JD0000000000000000000000',
  'svk_k1_billing_81JD0000000000000000000000',
  'svk_k1_billing_01JD000000000000000000000I',
  'svk_k1_billing_01JD0000000000000000000000\n',
  'svk_k1_billing',
  '',
])('parses no key id from %p', (text) => {
  expect(parseKeyId(text)).toBeUndefined();
});

test('a secret is HKDF-SHA256 of the root, bound to the whole key id', () => {
  const expected = hkdfSync('sha256', Buffer.alloc(32, 7), '', `auth-service/api-key/${keyId}`, 32);
  expect(deriveSecret(root(), keyId)).toBe(`svs_${Buffer.from(expected).toString('base64url')}`);
  expect(deriveSecret(root(), keyId)).not.toBe(deriveSecret(root(), `${keyId.slice(0, -1)}1` as KeyId));
  expect(deriveSecret(root(), keyId)).not.toBe(deriveSecret(createSecretKey(Buffer.alloc(32, 8)), keyId));
});

test('a secret is used as its ASCII text, as in openssl', () => {
  const secret = deriveSecret(root(), keyId);
  const ours = computeMac('base', createMacKey(secret), algorithmOf(keyId)).toString('hex');
  expect(ours).toBe(createHmac('sha256', secret).update('base').digest('hex'));
});
