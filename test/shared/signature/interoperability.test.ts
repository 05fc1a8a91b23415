import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createSignatureSync, verifySignature as verifyElsewhere } from 'http-message-sig';
import { createSigner, httpbis } from 'http-message-signatures';
import { signRequest } from '#shared/signature/sign-request.ts';
import { type GatewayPath, receiveRequest, type SentRequest } from './receive-request.ts';
import { createdSeconds, getAccess, revokeRole, setAccess, signing, verify } from './signing-fixture.ts';

type Sign = (request: SentRequest) => Promise<Record<string, string>>;

function hmac(data: Uint8Array): Buffer {
  return createHmac('sha256', signing.secret).update(data).digest();
}

function fieldsOf(headers: SentRequest['headers']): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })));
}

function componentsOf({ url, headers }: SentRequest): string[] {
  const query = url.includes('?') ? ['@query'] : [];
  return ['@method', '@authority', '@path', ...query, ...Object.keys(headers)];
}

const signers: Record<string, Sign> = {
  'http-message-sig': async (request) => {
    const { signature, signatureInput } = createSignatureSync(
      { kind: 'request', method: request.method, targetUri: request.url, fields: fieldsOf(request.headers) },
      {
        components: componentsOf(request),
        parameters: { created: createdSeconds, nonce: signing.nonce, keyid: signing.keyId, alg: 'hmac-sha256' },
        signer: { algorithm: 'hmac-sha256', sign: hmac },
      },
    );
    return { signature, 'signature-input': signatureInput };
  },
  'http-message-signatures': async (request) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, values]) => [name, [values].flat()]),
    );
    const config = {
      key: createSigner(signing.secret, 'hmac-sha256', signing.keyId),
      fields: componentsOf(request),
      params: ['created', 'expires', 'nonce', 'keyid', 'alg', 'tag'],
      paramValues: { created: new Date(createdSeconds * 1000), nonce: signing.nonce, tag: 'a "tag"' },
    };
    const message = await httpbis.signMessage(config, { method: request.method, url: request.url, headers });
    const { Signature: signature, 'Signature-Input': signatureInput } = message.headers;
    return { signature: String(signature), 'signature-input': String(signatureInput) };
  },
};

function withDigest(request: SentRequest): SentRequest {
  if (request.body === undefined) return request;
  const digest = createHash('sha256').update(request.body).digest('base64');
  return { ...request, headers: { ...request.headers, 'content-digest': `sha-256=:${digest}:` } };
}

function forUser(request: SentRequest, segment: string): SentRequest {
  return { ...request, url: request.url.replace('/ada/', `/${segment}/`) };
}

// Each as a client may write it into its URL.
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
const cases = Object.keys(signers).flatMap((library) =>
  Object.values(requests).flatMap((request) =>
    segments.flatMap((segment) => gateways.map((gateway) => ({ library, ...forUser(request, segment), gateway }))),
  ),
);

describe('accepts what other libraries sign', () => {
  test.each(cases)(
    '$library: $method $url, a gateway that $gateway the path',
    async ({ library, gateway, ...request }) => {
      const sent = withDigest(request);
      const added = await signers[library]?.(sent);

      expect(added?.['signature-input']).toContain(`keyid="${signing.keyId}"`);
      expect(() => verify(receiveRequest({ ...sent, headers: { ...sent.headers, ...added } }, gateway))).not.toThrow();
    },
  );

  test.each(Object.keys(signers))('%s: a covered header that is sent twice', async (library) => {
    const sent = { ...getAccess, headers: { 'x-role': ['viewer', 'editor'] } };
    const added = await signers[library]?.(sent);
    const received = receiveRequest({ ...sent, headers: { ...sent.headers, ...added } });

    expect(received.headers['x-role']).toBe('viewer,editor');
    expect(() => verify(received)).not.toThrow();
  });

  test.each(Object.keys(signers))('%s: a port that is not the default', async (library) => {
    const sent = { ...getAccess, url: 'https://auth.example.com:8443/api/service/users/ada/access' };
    const added = await signers[library]?.(sent);

    expect(() => verify(receiveRequest({ ...sent, headers: { ...sent.headers, ...added } }))).not.toThrow();
  });
});

describe('another library accepts what ours signs', () => {
  const ours = segments.flatMap((segment) => Object.values(requests).map((request) => forUser(request, segment)));

  test.each(ours)('$method $url', async (request) => {
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
});
