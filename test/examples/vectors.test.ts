import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { SignatureErrorCode } from '#shared/signature/error.ts';
import { createMacKey } from '#shared/signature/mac.ts';
import { readSignature, verifySignature } from '#shared/signature/verify.ts';
import { buildVectors, type Vector } from '../../examples/build-vectors.ts';
import { refusalOf } from '../shared/signature/signing-fixture.ts';
import { receiveVector } from './receive-vector.ts';
import { vectors } from './vectors.ts';

const outcomes: Record<SignatureErrorCode | 'accepted', true> = {
  accepted: true,
  signature_missing: true,
  signature_malformed: true,
  component_missing: true,
  signature_mismatch: true,
  clock_skew: true,
  digest_mismatch: true,
};

test('the file equals the output of `npm run build:vectors`', () => {
  expect(vectors).toEqual(JSON.parse(JSON.stringify(buildVectors())));
});

test('the vectors have unique names, and cover acceptance and each error code', () => {
  expect(vectors.length).toBeGreaterThanOrEqual(40);
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  expect(new Set(vectors.map(({ expected }) => expected))).toEqual(new Set(Object.keys(outcomes)));
});

describe.each(['decodes', 'keeps'] as const)('behind a gateway that %s the path, the verifier', (gateway) => {
  const verify = (vector: Vector) => {
    const message = receiveVector(vector, gateway);
    const parsed = readSignature(message);
    const key = parsed.keyId === vector.key.id ? createMacKey(vector.key.secret) : undefined;
    verifySignature(message, parsed, key, vector.time);
  };
  const accepted = vectors.filter(({ expected }) => expected === 'accepted');
  const refused = vectors.filter(({ expected }) => expected !== 'accepted');

  test.each(accepted.map((vector) => [vector.name, vector] as const))('accepts %s', (_name, vector) => {
    expect(() => verify(vector)).not.toThrow();
  });

  test.each(refused.map((vector) => [vector.name, vector] as const))('refuses %s', (_name, vector) => {
    const { code, members } = refusalOf(() => verify(vector));
    expect(code).toBe(vector.expected);
    expect(members.signatureBase).toBe(vector.serverSignatureBase);
  });
});

test('an accepted signature is the HMAC of its base, and the request contains it', () => {
  for (const { request, key, signatureBase, signature, expected } of vectors) {
    if (expected !== 'accepted') continue;
    expect(createHmac(key.algorithm.slice('hmac-'.length), key.secret).update(signatureBase).digest('base64')).toBe(
      signature,
    );
    expect(String(request.headers.Signature).endsWith(`=:${signature}:`)).toBe(true);
  }
});
