import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SignedMessage } from '#shared/signature/verify.ts';
import { macKey, refusalOf, type setAccess, signed, verify } from './signing-fixture.ts';

const request: typeof setAccess = {
  method: 'PUT',
  url: 'https://auth.example.com:8443/api/service/users/ada/access?dry=run&x=1',
  headers: { 'content-type': 'application/json', 'x-list': 'alpha, beta', 'x-uncovered': 'anything' },
  body: '{"status":"disabled"}',
};
const original = signed(request, { cover: ['content-type', 'x-list'] });

type Change = (text: string) => string;

function withHeader(name: string): (change: Change) => SignedMessage {
  return (change) => ({ ...original, headers: { ...original.headers, [name]: change(original.headers[name] ?? '') } });
}

const parts: Record<string, (change: Change) => SignedMessage> = {
  method: (change) => ({ ...original, method: change(original.method) }),
  authority: (change) => ({ ...original, authorities: original.authorities.map(change) }),
  path: (change) => ({ ...original, paths: original.paths.map(change) }),
  query: (change) => ({ ...original, query: change(original.query) }),
  body: (change) => ({ ...original, body: Buffer.from(change(request.body ?? '')) }),
  'signature-input': withHeader('signature-input'),
  signature: withHeader('signature'),
  'content-digest': withHeader('content-digest'),
  'content-type': withHeader('content-type'),
  'x-list': withHeader('x-list'),
};

/** The text of a covered header that stays the same message: white space around it, and none after a comma. */
function isSameHeader(text: string, before: string): boolean {
  const trimmed = text.replace(/^[ \t]+|[ \t]+$/g, '');
  return trimmed === before || trimmed.replace(/,(?! )/g, ', ') === before;
}

const character = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
  fc.constantFrom(' ', '\t', '\n', '\r\n', ',', '"', '\\', ';', '%', '\u00a0', '\ud800'),
);
const edit = fc.record({ at: fc.nat(400), removed: fc.constantFrom(0, 1), put: fc.oneof(character, fc.constant('')) });

function applied({ at, removed, put }: { at: number; removed: number; put: string }): Change {
  return (text) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + put + text.slice(start + removed);
  };
}

test('the untouched request is accepted', () => {
  expect(() => verify(original)).not.toThrow();
});

test('a header that the signature does not cover may change', () => {
  expect(() => verify(withHeader('x-uncovered')(() => 'something else'))).not.toThrow();
});

describe('a change of one character is refused', () => {
  test.each(['method', 'authority', 'path', 'query', 'body', 'signature-input', 'signature'])('in the %s', (part) => {
    fc.assert(
      fc.property(edit, (change) => {
        let unchanged = false;
        const message = parts[part]?.((text) => {
          const changed = applied(change)(text);
          unchanged = changed === text;
          return changed;
        });
        fc.pre(message !== undefined && !unchanged);

        const { code } = refusalOf(() => verify(message ?? original));
        expect(code).not.toBe('clock_skew');
        expect(code === 'digest_mismatch').toBe(part === 'body');
      }),
      { numRuns: 1000 },
    );
  });

  test.each(['content-digest', 'content-type', 'x-list'])('in the covered %s, unless it is the same header', (name) => {
    fc.assert(
      fc.property(edit, (change) => {
        const before = original.headers[name] ?? '';
        const text = applied(change)(before);
        const message = withHeader(name)(() => text);

        if (isSameHeader(text, before)) expect(() => verify(message)).not.toThrow();
        else expect(['signature_mismatch', 'signature_malformed']).toContain(refusalOf(() => verify(message)).code);
      }),
      { numRuns: 1000 },
    );
  });
});

test('a change of one bit of the signature is refused as a mismatch', () => {
  const mac = Buffer.from(original.headers.signature?.slice('sig1=:'.length, -1) ?? '', 'base64');
  for (let bit = 0; bit < 256; bit += 1) {
    const flipped = mac.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    const message = withHeader('signature')(() => `sig1=:${Buffer.from(flipped).toString('base64')}:`);

    expect(refusalOf(() => verify(message, macKey)).code).toBe('signature_mismatch');
  }
});

test.each([
  ['time', /created=\d+/, 'created=1795201201'],
  ['nonce', /nonce="n/, 'nonce="N'],
  ['key id', 'svk_k1_billing', 'svk_k1_payroll'],
  ['order', '"@method" "@authority"', '"@authority" "@method"'],
  ['coverage', ' "x-list"', ''],
])('a change of the %s is refused as a mismatch, canonical though it is', (_case, from, to) => {
  const message = withHeader('signature-input')((text) => text.replace(from, to));

  expect(message.headers['signature-input']).not.toBe(original.headers['signature-input']);
  expect(refusalOf(() => verify(message)).code).toBe('signature_mismatch');
});

test('a label that changed in both headers is the same signature', () => {
  const headers = { ...original.headers };
  for (const name of ['signature', 'signature-input']) headers[name] = headers[name]?.replace('sig1', 'other');

  expect(() => verify({ ...original, headers })).not.toThrow();
});

test('one value cannot pass for two components', () => {
  const path = '/api/service/users/ada/access\n"@query": ?dry=run&x=1';

  expect(refusalOf(() => verify({ ...original, paths: [path] })).code).toBe('signature_malformed');
});
