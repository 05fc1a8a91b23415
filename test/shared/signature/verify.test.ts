import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createMacKey } from '#shared/signature/mac.ts';
import {
  candidateBases,
  readSignature,
  requireCoveredBody,
  type SignedMessage,
  verifySignature,
} from '#shared/signature/verify.ts';
import { receiveRequest } from './receive-request.ts';
import {
  createdSeconds,
  getAccess,
  macKey,
  refusalOf,
  revokeRole,
  setAccess,
  signed,
  signing,
  verify,
} from './signing-fixture.ts';

const wrongKey = () => createMacKey('svs_wrong');

/** Signs a handwritten base, to test parameters that this project's signer never writes. */
function signedBy(params: string, secret = signing.secret): SignedMessage {
  const input = `("@method" "@authority" "@path")${params}`;
  const base = `"@method": GET\n"@authority": auth.example.com\n"@path": /api/service/users/ada/access\n"@signature-params": ${input}`;
  const mac = createHmac('sha256', secret).update(base).digest('base64');
  return receiveRequest({ ...getAccess, headers: { 'signature-input': `sig1=${input}`, signature: `sig1=:${mac}:` } });
}

test.each([
  ['a read', getAccess],
  ['a write with a body', setAccess],
  ['a request with a query', revokeRole],
])('verify accepts %s', (_case, request) => {
  expect(() => verify(signed(request))).not.toThrow();
});

test('accepts a request signed for another host of this service', () => {
  const message = {
    ...signed(getAccess),
    authorities: ['abc.execute-api.example', 'cdn.example', 'auth.example.com'],
  };

  expect(() => verify(message)).not.toThrow();
});

test('accepts the digest of an empty body, if covered', () => {
  const digest = 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:';
  const request = { ...getAccess, headers: { 'content-digest': digest } };

  expect(() => verify(signed(request, { cover: ['content-digest'] }))).not.toThrow();
});

test('accepts the parameters alg and tag', () => {
  const params = `;created=${createdSeconds};nonce="0123456789abcdef";keyid="svk_k";alg="hmac-sha256";tag="app"`;

  expect(() => verify(signedBy(params))).not.toThrow();
});

const repeated = { ...getAccess, headers: { 'x-role': ['viewer', 'editor', 'owner'], 'x-team': 'a, b' } };

test('repeated headers are accepted as the gateway joins them', () => {
  const message = signed(repeated, { cover: ['x-role', 'x-team'] });

  expect(message.headers['x-role']).toBe('viewer,editor,owner');
  expect(() => verify(message)).not.toThrow();
});

test('repeated headers are accepted from a signer that joins them like the gateway', () => {
  const single = { ...getAccess, headers: { 'x-role': 'viewer,editor' } };

  expect(() => verify(signed(single, { cover: ['x-role'] }))).not.toThrow();
});

test('repeated headers are refused in another order', () => {
  const message = signed(repeated, { cover: ['x-role', 'x-team'] });
  const turned = { ...message, headers: { ...message.headers, 'x-role': 'editor,viewer,owner' } };

  expect(refusalOf(() => verify(turned)).code).toBe('signature_mismatch');
});

test.each([
  ['x-team', 1],
  ['x-role', 2],
])('computes no candidate base twice: with %s covered, there are %i', (name, count) => {
  const message = signed(repeated, { cover: [name] });

  expect([...candidateBases(message, readSignature(message))]).toHaveLength(count);
});

test('includes the computed base in the refusal of a wrong secret', () => {
  const refusal = refusalOf(() => verify(signed(setAccess, { cover: ['if-match'] }), wrongKey()));

  expect(refusal).toMatchObject({
    code: 'signature_mismatch',
    detail: 'the signature does not match this request and key; compare the signature base',
  });
  expect(String(refusal.members.signatureBase).split('\n')).toEqual([
    '"@method": PUT',
    '"@authority": auth.example.com',
    '"@path": /api/service/users/ada/access',
    '"content-digest": sha-256=:dA4NsuVj4y9RQGAp+VVTRWM5u1XvcQhVEpdS8QR1JpQ=:',
    '"if-match": "3"',
    `"@signature-params": ("@method" "@authority" "@path" "content-digest" "if-match");created=${createdSeconds};nonce="${signing.nonce}";keyid="${signing.keyId}"`,
  ]);
});

test('omits the values of headers that the profile does not require from the refusal of a wrong secret', () => {
  const headers = { 'x-origin-verify': 'proxy-secret', authorization: 'Bearer token', 'if-match-x': 'x' };
  const message = signed(
    { ...setAccess, headers: { ...setAccess.headers, ...headers } },
    { cover: Object.keys(headers) },
  );
  const base = String(refusalOf(() => verify(message, wrongKey())).members.signatureBase);

  expect(base.split('\n').slice(3, -1)).toEqual([
    '"content-digest": sha-256=:dA4NsuVj4y9RQGAp+VVTRWM5u1XvcQhVEpdS8QR1JpQ=:',
    '"if-match": "3"',
    '"x-origin-verify": (not shown)',
    '"authorization": (not shown)',
    '"if-match-x": (not shown)',
  ]);
  expect(base.split('\n').at(-1)).toBe(`"@signature-params": ${readSignature(message).signatureParams}`);
});

test('includes the parameters unchanged in the refusal of a wrong secret, even if they look like a line of the base', () => {
  const params = String.raw`;created=${createdSeconds};nonce="0123456789abcdef";keyid="svk_k";tag="\"x-team\": sales"`;
  const base = String(refusalOf(() => verify(signedBy(params), wrongKey())).members.signatureBase);

  expect(base.endsWith(params)).toBe(true);
});

test('includes the canonical base in the refusal of a wrong secret if several encodings were tried', () => {
  const message = signed({ ...getAccess, url: 'https://auth.example.com/api/service/users/auth0|1/access' });
  const refusal = refusalOf(() => verify(message, wrongKey()));

  expect(refusal.members.signatureBase).toContain('"@path": /api/service/users/auth0%7C1/access\n');
});

test('checks the MAC before the clock and the body', () => {
  const message = { ...signed(setAccess), body: Buffer.from('other') };

  expect(refusalOf(() => verify(message, wrongKey(), createdSeconds + 9999)).code).toBe('signature_mismatch');
});

test('refuses a key that was never issued in the same way as a wrong secret', () => {
  const message = signed(setAccess);
  const unknown = refusalOf(() => verifySignature(message, readSignature(message), undefined, createdSeconds));
  const wrong = refusalOf(() => verify(message, wrongKey()));

  expect({ ...unknown, message: unknown.message }).toEqual({ ...wrong, message: wrong.message });
});

test.each(['', '\0'.repeat(32)])('a key that was never issued has no guessable secret such as %j', (secret) => {
  const message = signed(getAccess, { secret });

  const refusal = refusalOf(() => verifySignature(message, readSignature(message), undefined, createdSeconds));
  expect(refusal.code).toBe('signature_mismatch');
});

test('refuses a message without any authority or path', () => {
  expect(refusalOf(() => verify({ ...signed(getAccess), paths: [] })).code).toBe('signature_mismatch');
  expect(refusalOf(() => verify({ ...signed(getAccess), authorities: [] })).code).toBe('signature_mismatch');
});

test.each([-300, -299.5, 0, 299.5, 300])('accepts a signature when the server is %d s ahead', (seconds) => {
  expect(() => verify(signed(getAccess), macKey(), createdSeconds + seconds)).not.toThrow();
});

test.each([
  [-301, '301 seconds ahead of'],
  [-300.001, '301 seconds ahead of'],
  [300.001, '301 seconds behind'],
  [1301, '1301 seconds behind'],
])('refuses a signature when the server is %d s ahead, and says by how much', (seconds, distance) => {
  const now = createdSeconds + seconds;

  expect(refusalOf(() => verify(signed(getAccess), macKey(), now))).toMatchObject({
    code: 'clock_skew',
    detail: `"created" is ${distance} the server's clock; at most 300 are allowed`,
    members: { serverTime: new Date(now * 1000).toISOString(), created: createdSeconds, windowSeconds: 300 },
  });
});

test('refuses a "created" beyond any date', () => {
  const message = signed(getAccess, { created: 999_999_999_999_999 });

  expect(refusalOf(() => verify(message)).members).toMatchObject({ created: 999_999_999_999_999 });
});

test('refuses a signature if the clock is not a number', () => {
  expect(() => verify(signed(getAccess), macKey(), Number.NaN)).toThrow();
});

const expiring = () =>
  signedBy(`;created=${createdSeconds};expires=${createdSeconds + 10};nonce="0123456789abcdef";keyid="svk_k"`);

test.each([0, 10])('accepts a signature %d s old that expires after 10', (seconds) => {
  expect(() => verify(expiring(), macKey(), createdSeconds + seconds)).not.toThrow();
});

test.each([10.001, 11])('refuses a signature %d s old that expired after 10', (seconds) => {
  expect(refusalOf(() => verify(expiring(), macKey(), createdSeconds + seconds))).toMatchObject({
    code: 'clock_skew',
    detail: `the signature expired: "expires" is ${createdSeconds + 10}`,
    members: { created: createdSeconds, windowSeconds: 300 },
  });
});

test('checks the clock before the body', () => {
  const message = { ...signed(setAccess), body: Buffer.from('other') };

  expect(refusalOf(() => verify(message, macKey(), createdSeconds + 301)).code).toBe('clock_skew');
});

test('refuses a body with a changed byte', () => {
  const message = signed(setAccess);
  const body = Buffer.from(message.body).fill('!', 0, 1);

  const refusal = refusalOf(() => verify({ ...message, body }));

  expect(refusal).toMatchObject({ code: 'digest_mismatch', members: { receivedBytes: body.byteLength } });
});

test('refuses a request whose body was lost in transit', () => {
  const message = { ...signed(setAccess), body: new Uint8Array() };

  expect(refusalOf(() => verify(message))).toMatchObject({ code: 'digest_mismatch', members: { receivedBytes: 0 } });
});

test('refuses a covered digest that cannot be read', () => {
  const request = { ...getAccess, headers: { 'content-digest': 'sha-512=:AAAA:' } };

  expect(refusalOf(() => verify(signed(request, { cover: ['content-digest'] }))).code).toBe('signature_malformed');
});

test('refuses a covered digest that the request does not carry', () => {
  const message = { ...signed(setAccess), headers: {} };

  expect(refusalOf(() => requireCoveredBody(message, ['content-digest']))).toMatchObject({
    code: 'component_missing',
    detail: 'the request has no "content-digest"',
  });
  expect(() => requireCoveredBody(message, ['@path'])).not.toThrow();
});
