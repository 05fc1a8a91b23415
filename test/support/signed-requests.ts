import { createHash, createHmac } from 'node:crypto';
import { expect } from '@jest/globals';
import { verifySignature } from 'http-message-sig';
import { createdSeconds, testKey } from '../../examples/vector-cases.ts';
import { componentsOf, fieldsOf } from './independent-signers.ts';

/** Expects 500 signed requests, each a JSON object in a line, which an independent library accepts. */
export async function expectSignedRequests(printed: string): Promise<void> {
  const lines = printed.trim().split('\n');
  expect(lines).toHaveLength(500);
  for (const line of lines) {
    const { method, url, headers, body } = JSON.parse(line);
    const digest = createHash('sha256').update(body).digest('base64');
    expect(headers['content-digest']).toBe(body === '' ? undefined : `sha-256=:${digest}:`);
    const { signature, 'signature-input': input, ...covered } = headers;
    const verified = await verifySignature(
      { kind: 'request', method, targetUri: url, fields: fieldsOf(headers) },
      {
        policy: {
          algorithms: ['hmac-sha256'],
          requiredComponents: componentsOf({ method, url, headers: covered }),
          requiredParameters: ['created', 'nonce', 'keyid', 'expires'],
          now: createdSeconds,
          maxAge: 300,
        },
        resolveVerifier: () => ({
          algorithm: 'hmac-sha256',
          verify: (data, mac) => createHmac('sha256', testKey.secret).update(data).digest().equals(mac),
        }),
      },
    );
    expect(verified.parameters).toMatchObject({ created: createdSeconds, keyid: testKey.id });
  }
}
