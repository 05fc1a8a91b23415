import { expect, test } from '@jest/globals';
import { algorithmOf } from '#shared/signature/algorithm.ts';
import { computeMac } from '#shared/signature/mac.ts';
import { signRequest } from '#shared/signature/sign.ts';
import { readSignature } from '#shared/signature/verify.ts';
import { createdSeconds, getAccess, macKey, refusalOf, signed, signing, verify } from './signing-fixture.ts';

const tail = `;created=${createdSeconds};nonce="${signing.nonce}";keyid="${signing.keyId}"`;

function coveredBy(input: string | undefined): string {
  return input?.replace(/^sig1=\((.*)\);created.*$/, '$1') ?? '';
}

test('adds only the two headers of RFC 9421 to a read', () => {
  const params = `("@method" "@authority" "@path")${tail}`;
  const lines = ['"@method": GET', '"@authority": auth.example.com', '"@path": /api/service/users/ada/access'];
  const base = [...lines, `"@signature-params": ${params}`].join('\n');

  expect(signRequest({ method: 'GET', url: getAccess.url }, signing)).toEqual({
    'signature-input': `sig1=${params}`,
    signature: `sig1=:${computeMac(base, macKey(), algorithmOf(signing.keyId)).toString('base64')}:`,
  });
});

const revokeUrl = 'https://auth.example.com/api/service/users/ada/revoke';
test.each([
  ['a query', { method: 'DELETE', url: `${revokeUrl}?role=editor` }, '"@method" "@authority" "@path" "@query"'],
  ['no empty query', { method: 'DELETE', url: `${revokeUrl}?` }, '"@method" "@authority" "@path"'],
  ['a body', { method: 'PUT', url: revokeUrl, body: '{}' }, '"@method" "@authority" "@path" "content-digest"'],
  ['no empty body', { method: 'PUT', url: revokeUrl, body: '' }, '"@method" "@authority" "@path"'],
])('the signature of a request covers %s', (_case, request, covered) => {
  expect(coveredBy(signRequest(request, signing)['signature-input'])).toBe(covered);
});

test('the signature of a request covers additional headers on request, each once, with case-insensitive names', () => {
  const request = { method: 'GET', url: revokeUrl, headers: { 'X-One': '1', 'x-two': '2' } };
  const added = signRequest(request, { ...signing, cover: ['x-one', 'X-Two', 'x-ONE'] });

  expect(coveredBy(added['signature-input'])).toBe('"@method" "@authority" "@path" "x-one" "x-two"');
});

test('signs a body in bytes like the same text', () => {
  const bytes = signRequest({ method: 'PUT', url: getAccess.url, body: Buffer.from('"ü"') }, signing);
  const text = signRequest({ method: 'PUT', url: getAccess.url, body: '"ü"' }, signing);

  expect(text['content-digest']).toMatch(/^sha-256=:.{43}=:$/);
  expect(bytes).toEqual(text);
});

test.each([
  ['HTTPS://AUTH.Example.com:443/', 'https://auth.example.com/'],
  ['http://127.0.0.1:80/', 'http://127.0.0.1/'],
  ['https://auth.example.com', 'https://auth.example.com/'],
  ['https://auth.example.com/#part', 'https://auth.example.com/'],
])('signs the URL %s as %s', (one, other) => {
  expect(signRequest({ method: 'GET', url: one }, signing)).toEqual(
    signRequest({ method: 'GET', url: other }, signing),
  );
});

test('escapes quotes and backslashes in the values of parameters', () => {
  const message = signed(getAccess, { nonce: '\\"'.repeat(8) });

  expect(readSignature(message)).toMatchObject({ nonce: '\\"'.repeat(8) });
  expect(() => verify(message)).not.toThrow();
});

test('signs with the given label', () => {
  const added = signRequest({ method: 'GET', url: getAccess.url }, { ...signing, label: 'app' });

  expect(added['signature-input']).toMatch(/^app=\(/);
  expect(added.signature).toMatch(/^app=:/);
});

test.each([
  ['a nonce too short', { nonce: 'short' }, 'signature_malformed'],
  ['a nonce outside ASCII', { nonce: 'ü'.repeat(16) }, 'signature_malformed'],
  ['a key id with a line break', { keyId: 'svk_a\nb' }, 'signature_malformed'],
  ['a secret instead of the key id', { keyId: signing.secret }, 'signature_malformed'],
  ['a fraction of a second', { created: 1.5 }, 'signature_malformed'],
  ['a label in upper case', { label: 'Sig' }, 'signature_malformed'],
  ['a header set by proxies', { cover: ['x-forwarded-for'] }, 'signature_malformed'],
  ['a header that the request lacks', { cover: ['x-absent'] }, 'component_missing'],
])('refuses to sign with %s', (_case, options, code) => {
  const request = { ...getAccess, headers: { 'x-forwarded-for': '1.1.1.1' } };

  expect(refusalOf(() => signRequest(request, { ...signing, ...options })).code).toBe(code);
});
