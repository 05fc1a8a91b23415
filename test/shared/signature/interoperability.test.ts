import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { verifySignature as verifyElsewhere } from 'http-message-sig';
import { signRequest } from '#shared/signature/sign.ts';
import { componentsOf, fieldsOf, independentSigners, withDigest } from '../../support/independent-signers.ts';
import { type GatewayPath, receiveRequest, type SentRequest } from './receive-request.ts';
import { createdSeconds, getAccess, revokeRole, setAccess, signing, verify } from './signing-fixture.ts';

function hmac(data: Uint8Array): Buffer {
  return createHmac('sha256', signing.secret).update(data).digest();
}

function forUser(request: SentRequest, segment: string): SentRequest {
  return { ...request, url: request.url.replace('/ada/', `/${segment}/`) };
}

const key = { ...signing, created: createdSeconds };

// Each in a spelling that a client may use in its URL.
const segments = [
  'ada',
  'auth0|123',
  'auth0%7C123',
  'a+b@c.de',
  'a%2Bb%40c.de',
  'urn:x:1',
  'urn%3Ax%3A1',
  'x=1~',
  'x%3D1~',
];
const requests = { GET: getAccess, PUT: setAccess, DELETE: revokeRole };
const gateways: GatewayPath[] = ['decodes', 'keeps'];
const cases = Object.keys(independentSigners).flatMap((library) =>
  Object.values(requests).flatMap((request) =>
    segments.flatMap((segment) => gateways.map((gateway) => ({ library, ...forUser(request, segment), gateway }))),
  ),
);

test.each(cases)(
  'accepts signatures of $library behind a gateway that $gateway the path: $method $url',
  async ({ library, gateway, ...request }) => {
    const sent = withDigest(request);
    const added = await independentSigners[library]?.(sent, key);

    expect(added?.['signature-input']).toContain(`keyid="${signing.keyId}"`);
    expect(() => verify(receiveRequest({ ...sent, headers: { ...sent.headers, ...added } }, gateway))).not.toThrow();
  },
);

test.each(Object.keys(independentSigners))('accepts a covered header sent twice, signed by %s', async (library) => {
  const sent = { ...getAccess, headers: { 'x-role': ['viewer', 'editor'] } };
  const added = await independentSigners[library]?.(sent, key);
  const received = receiveRequest({ ...sent, headers: { ...sent.headers, ...added } });

  expect(received.headers['x-role']).toBe('viewer,editor');
  expect(() => verify(received)).not.toThrow();
});

test.each(Object.keys(independentSigners))('accepts a non-default port, signed by %s', async (library) => {
  const sent = { ...getAccess, url: 'https://auth.example.com:8443/api/service/users/ada/access' };
  const added = await independentSigners[library]?.(sent, key);

  expect(() => verify(receiveRequest({ ...sent, headers: { ...sent.headers, ...added } }))).not.toThrow();
});

const ours = segments.flatMap((segment) => Object.values(requests).map((request) => forUser(request, segment)));

test.each(ours)("another library accepts this signer's signatures: $method $url", async (request) => {
  const headers = Object.fromEntries(fieldsOf(request.headers).map(({ name, value }) => [name, value]));
  const added = signRequest({ ...request, headers }, { ...signing, cover: Object.keys(headers) });
  const message = {
    kind: 'request' as const,
    method: request.method,
    targetUri: request.url,
    fields: fieldsOf({ ...headers, ...added }),
  };
  const policy = {
    algorithms: ['hmac-sha256'],
    requiredComponents: componentsOf(request),
    requiredParameters: ['created', 'nonce', 'keyid'],
    now: createdSeconds,
    maxAge: 300,
  };
  const verifier = {
    algorithm: 'hmac-sha256',
    verify: (data: Uint8Array, mac: Uint8Array) => hmac(data).equals(mac),
  };

  const verified = await verifyElsewhere(message, { policy, resolveVerifier: () => verifier });

  expect(verified.parameters).toEqual({ created: createdSeconds, nonce: signing.nonce, keyid: signing.keyId });
});
