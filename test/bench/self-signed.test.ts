import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createSelfSigned } from '../../bench/self-signed.ts';

test('a certificate has the name and the key, is signed by that key, and is valid for a day', () => {
  const { key, cert } = createSelfSigned('127.0.0.1', new Date('2026-11-23T09:00:00Z'));
  const certificate = new X509Certificate(cert);
  expect(certificate.subject).toBe('CN=127.0.0.1');
  expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect([certificate.validFrom, certificate.validTo]).toEqual([
    'Nov 23 09:00:00 2026 GMT',
    'Nov 24 09:00:00 2026 GMT',
  ]);
});
