import { createSecretKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { computeMac } from '#shared/signature/algorithm.ts';
import { type ComponentSource, createSignatureBase } from '#shared/signature/base.ts';
import { refusalOf } from './signing-fixture.ts';

const source: ComponentSource = {
  method: 'POST',
  authority: 'example.com',
  path: '/foo',
  query: 'param=Value&Pet=dog',
  headers: { date: 'Tue, 20 Apr 2021 02:07:55 GMT', 'content-type': 'application/json', 'x-empty': '' },
};

describe('RFC 9421 appendix B.2.5', () => {
  const params = '("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"';
  const base = createSignatureBase(['date', '@authority', 'content-type'], params, source);

  test('the signature base is the one printed there', () => {
    expect(base.split('\n')).toEqual([
      '"date": Tue, 20 Apr 2021 02:07:55 GMT',
      '"@authority": example.com',
      '"content-type": application/json',
      `"@signature-params": ${params}`,
    ]);
  });

  test('the MAC is the one printed there', () => {
    const base64 = 'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==';
    const key = createSecretKey(Buffer.from(base64, 'base64'));

    expect(computeMac(base, key).toString('base64')).toBe('pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=');
  });
});

describe('component values', () => {
  const lineOf = (name: string, changed: Partial<ComponentSource> = {}) =>
    createSignatureBase([name], '()', { ...source, ...changed }).split('\n')[0];

  test('the query keeps its question mark and its encoding', () => {
    expect(lineOf('@query', { query: 'a=%2f&b=+' })).toBe('"@query": ?a=%2f&b=+');
  });

  test('an empty query is a lone question mark', () => {
    expect(lineOf('@query', { query: '' })).toBe('"@query": ?');
  });

  test('the method keeps its case', () => {
    expect(lineOf('@method', { method: 'get' })).toBe('"@method": get');
  });

  test('a header loses the white space around it and keeps that inside it', () => {
    expect(lineOf('x-spaced', { headers: { 'x-spaced': ' \t a \t b\t ' } })).toBe('"x-spaced": a \t b');
  });

  test('an empty header has a line of its own', () => {
    expect(lineOf('x-empty')).toBe('"x-empty": ');
  });

  test.each(['x-absent', 'constructor', '__proto__', '@status'])(
    'refuses %s, which the request does not carry',
    (name) => {
      expect(refusalOf(() => lineOf(name))).toMatchObject({
        code: 'component_missing',
        detail: expect.stringContaining(name),
      });
    },
  );

  test.each(['a\nb', 'a\r\n b', 'a\n', '\u00a0a', 'caf\u00e9', '\ud800', 'a\u0000', 'a\u007f'])(
    'refuses the value %j, which no base can hold',
    (value) => {
      expect(refusalOf(() => lineOf('x-odd', { headers: { 'x-odd': value } })).code).toBe('signature_malformed');
      expect(refusalOf(() => lineOf('@path', { path: value })).code).toBe('signature_malformed');
    },
  );
});

test('every base has one line per component, in order, and the parameters last', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/), { maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom('a', 'Z', '"', ':', ' ', '\t', ',', '@', '\\') });
  fc.assert(
    fc.property(names, fc.array(text, { minLength: 8, maxLength: 8 }), (components, values) => {
      const headers = Object.fromEntries(components.map((name, index) => [name, values[index]]));
      const lines = createSignatureBase(components, '();created=1', { ...source, headers }).split('\n');

      const expected = components.map((name) => `"${name}": ${headers[name]?.replace(/^[ \t]+|[ \t]+$/g, '')}`);
      expect(lines).toEqual([...expected, '"@signature-params": ();created=1']);
    }),
  );
});
