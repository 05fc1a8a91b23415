import { createSecretKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { algorithmOf } from '#shared/signature/algorithm.ts';
import {
  type ComponentSource,
  compareBases,
  createSignatureBase,
  createSigningInput,
  describeDifference,
  formatContentDigest,
  nonceHeaderOf,
  signedHeaders,
} from '#shared/signature/base.ts';
import { computeMac } from '#shared/signature/mac.ts';
import { refusalOf } from './signing-fixture.ts';

const source: ComponentSource = {
  method: 'POST',
  authority: 'example.com',
  path: '/foo',
  query: 'param=Value&Pet=dog',
  headers: { date: 'Tue, 20 Apr 2021 02:07:55 GMT', 'content-type': 'application/json', 'x-empty': '' },
};

const params = '("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"';
const createBase = () => createSignatureBase(['date', '@authority', 'content-type'], params, source);

test('creates the signature base that RFC 9421 appendix B.2.5 prints', () => {
  expect(createBase().split('\n')).toEqual([
    '"date": Tue, 20 Apr 2021 02:07:55 GMT',
    '"@authority": example.com',
    '"content-type": application/json',
    `"@signature-params": ${params}`,
  ]);
});

test('computes the MAC that RFC 9421 appendix B.2.5 prints', () => {
  const base64 = 'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==';
  const key = createSecretKey(Buffer.from(base64, 'base64'));

  expect(computeMac(createBase(), key, algorithmOf('')).toString('base64')).toBe(
    'pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=',
  );
});

const lineOf = (name: string, changed: Partial<ComponentSource> = {}) =>
  createSignatureBase([name], '()', { ...source, ...changed }).split('\n')[0];

test('a query keeps its question mark and its encoding', () => {
  expect(lineOf('@query', { query: 'a=%2f&b=+' })).toBe('"@query": ?a=%2f&b=+');
});

test('an empty query is a lone question mark', () => {
  expect(lineOf('@query', { query: '' })).toBe('"@query": ?');
});

test('a method keeps its case', () => {
  expect(lineOf('@method', { method: 'get' })).toBe('"@method": get');
});

test('a header loses surrounding white space and keeps inner white space', () => {
  expect(lineOf('x-spaced', { headers: { 'x-spaced': ' \t a \t b\t ' } })).toBe('"x-spaced": a \t b');
});

test('a derived component keeps its surrounding white space', () => {
  expect(lineOf('@path', { path: '/foo ' })).toBe('"@path": /foo ');
});

test('an empty header has its own line', () => {
  expect(lineOf('x-empty')).toBe('"x-empty": ');
});

test.each(['x-absent', 'constructor', '__proto__', '@status'])(
  'refuses the component %s, which the request does not carry',
  (name) => {
    expect(refusalOf(() => lineOf(name))).toMatchObject({
      code: 'component_missing',
      detail: expect.stringContaining(name),
    });
  },
);

test.each(['a\nb', 'a\r\n b', 'a\n', '\u00a0a', 'caf\u00e9', '\ud800', 'a\u0000', 'a\u007f'])(
  'refuses the component value %j, which a base cannot represent',
  (value) => {
    expect(refusalOf(() => lineOf('x-odd', { headers: { 'x-odd': value } })).code).toBe('signature_malformed');
    expect(refusalOf(() => lineOf('@path', { path: value })).code).toBe('signature_malformed');
  },
);

test('creates the signing input of a request, with the required components, including If-Match, and the requested ones', () => {
  const request = { method: 'PUT', url: new URL('https://auth.example.com:8443/users/a%7Cb?dry=run') };
  const headers = { 'if-match': '"3"' };
  const signer = { keyId: 'k"1', created: 7, nonce: 'n\\0', cover: ['X-Absent', '@path'] };
  const params =
    '("@method" "@authority" "@path" "@query" "content-digest" "if-match" "x-absent");created=7;nonce="n\\\\0";keyid="k\\"1"';

  expect(createSigningInput(request, { ...signer, headers, digest: 'sha-256=:x:' })).toEqual({
    params,
    base: [
      '"@method": PUT',
      '"@authority": auth.example.com:8443',
      '"@path": /users/a%7Cb',
      '"@query": ?dry=run',
      '"content-digest": sha-256=:x:',
      '"if-match": "3"',
      '"x-absent": undefined',
      `"@signature-params": ${params}`,
    ].join('\n'),
  });
});

test('creates the signing input of a request without query, body and additional headers', () => {
  const request = { method: 'GET', url: 'https://auth.example.com/' };
  const { params } = createSigningInput(request, {
    keyId: 'k',
    created: 7,
    nonce: 'n',
    headers: {},
    digest: undefined,
  });

  expect(params).toBe('("@method" "@authority" "@path");created=7;nonce="n";keyid="k"');
});

test('the signing input ends with the expiry of the signature, if it has one', () => {
  const content = { keyId: 'k', created: 7, expires: 9, nonce: 'n', headers: {}, digest: undefined };
  const { params } = createSigningInput({ method: 'GET', url: 'https://auth.example.com/' }, content);

  expect(params).toBe('("@method" "@authority" "@path");created=7;nonce="n";keyid="k";expires=9');
});

const nonce = '0123456789abcdef';

test.each([
  ['at the end', `sig1=("@method");created=7;nonce="${nonce}"`, nonce],
  ['before other parameters', `sig1=();nonce="${nonce}";keyid="k"`, nonce],
  ['of 64 characters', `sig1=();nonce="${nonce.repeat(4)}"`, nonce.repeat(4)],
  ['of any printable character', 'sig1=();nonce="!#$%&()*+,-./:;<=>?@[]^_`{|}~"', '!#$%&()*+,-./:;<=>?@[]^_`{|}~'],
])('a response names its request by the nonce, %s', (_, signatureInput, expected) => {
  expect(nonceHeaderOf(signatureInput)).toEqual({ 'request-nonce': expected });
});

test.each([
  ['has no Signature-Input', undefined],
  ['has an empty Signature-Input', ''],
  ['has no nonce', 'sig1=();created=7'],
  ['has a nonce that is too short', 'sig1=();nonce="0123456789abcde"'],
  ['has a nonce that is too long', `sig1=();nonce="${nonce.repeat(4)}0"`],
  ['has a nonce with a space', `sig1=();nonce="${nonce} "`],
  ['has a nonce with a quote', `sig1=();nonce="${nonce}\\""`],
  ['has only a parameter that ends in that name', `sig1=();my-nonce="${nonce}"`],
  ['has a nonce that is not complete', `sig1=();nonce="${nonce}"x`],
])('a response does not name a request that %s', (_, signatureInput) => {
  expect(nonceHeaderOf(signatureInput)).toStrictEqual({});
});

test('creates the headers of a signed request, with a digest only if there is one', () => {
  expect(signedHeaders(undefined, '();created=1', 'AA==')).toEqual({
    'signature-input': 'sig1=();created=1',
    signature: 'sig1=:AA==:',
  });
  expect(signedHeaders(formatContentDigest('BB=='), '()', 'AA==', 'app')).toEqual({
    'content-digest': 'sha-256=:BB==:',
    'signature-input': 'app=()',
    signature: 'app=:AA==:',
  });
});

test('finds the first line in which two signature bases differ, and describes it', () => {
  const difference = compareBases('a\nb\nc', 'a\nx\ny');

  expect(difference).toEqual({ signed: 'b', expected: 'x' });
  expect(describeDifference(difference)).toBe('signed b, the server has x');
});

test('finds the line that only the server has', () => {
  expect(compareBases('a', 'a\nb')).toEqual({ signed: undefined, expected: 'b' });
});

test('finds no difference in equal signature bases, so the secret is wrong', () => {
  const difference = compareBases('a\nb', 'a\nb');

  expect(difference).toEqual({ signed: undefined, expected: undefined });
  expect(describeDifference(difference)).toBe('same base: wrong secret or unknown key');
});
