import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ComponentSource, createSignatureBase } from '#shared/signature/base.ts';
import { createContentDigest, verifyContentDigest } from '#shared/signature/digest.ts';
import { refusalOf, setAccess, signed, signing, verify } from './signing-fixture.ts';

const source: ComponentSource = {
  method: 'POST',
  authority: 'example.com',
  path: '/foo',
  query: 'param=Value&Pet=dog',
  headers: { date: 'Tue, 20 Apr 2021 02:07:55 GMT', 'content-type': 'application/json', 'x-empty': '' },
};

test('any signed request is accepted as the gateway delivers it', () => {
  const name = fc
    .stringMatching(/^[a-z!#$%&'*+.^_`|~-][a-z0-9-]{0,12}$/)
    .filter((text) => !/^(signature|forwarded|x-forwarded)/.test(text));
  const value = fc.string({
    unit: fc.oneof(
      fc.constantFrom(' ', '\t', ',', '"', ':'),
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
    ),
  });
  const headers = fc.dictionary(name, value, { maxKeys: 6, noNullPrototype: true });
  const id = fc.stringMatching(/^[A-Za-z0-9._~!$&'()*+,;=:@|-]{1,40}$/).filter((text) => !/^\.{1,2}$/.test(text));
  const encode = fc.constantFrom((text: string) => text, encodeURIComponent);
  const query = fc.webQueryParameters();
  fc.assert(
    fc.property(
      headers,
      id,
      encode,
      query,
      fc.option(fc.string(), { nil: '' }),
      (carried, userId, encoded, search, body) => {
        const url = new URL(`https://auth.example.com/api/service/users/${encoded(userId)}/access?${search}`).href;
        const message = signed({ method: 'PUT', url, headers: carried, body }, { cover: Object.keys(carried) });

        expect(() => verify(message)).not.toThrow();
      },
    ),
    { numRuns: 500 },
  );
});

test('signs differently with every other secret', () => {
  fc.assert(
    fc.property(fc.string(), (secret) => {
      fc.pre(secret !== signing.secret);

      expect(refusalOf(() => verify(signed(setAccess, { secret }))).code).toBe('signature_mismatch');
    }),
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

test('accepts every body only with its own digest', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), (one, other) => {
      fc.pre(Buffer.compare(one, other) !== 0);
      expect(() => verifyContentDigest(createContentDigest(one), one)).not.toThrow();
      expect(refusalOf(() => verifyContentDigest(createContentDigest(one), other)).code).toBe('digest_mismatch');
    }),
  );
});

test('refuses as malformed a Content-Digest of any other text, and throws nothing else', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('sha-256', '=', ':', ',', ' ', 'A', '/', 'λ') }), (header) => {
      expect(refusalOf(() => verifyContentDigest(header, Buffer.from('body'))).code).toBe('signature_malformed');
    }),
  );
});
