import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SignedMessage } from '#shared/signature/verify.ts';
import { refusalOf, type setAccess, signed, verify } from './signing-fixture.ts';

const request: typeof setAccess = {
  method: 'PUT',
  url: 'https://auth.example.com:8443/api/service/users/ada/access?dry=run&x=1',
  headers: { 'content-type': 'application/json', 'x-list': 'alpha, beta', 'x-uncovered': 'anything' },
  body: '{"status":"disabled"}',
};
/** Signs inside each test, so that mutation testing knows which tests sign. */
function signOriginal(): SignedMessage {
  return signed(request, { cover: ['content-type', 'x-list'] });
}

type Change = (text: string) => string;
type Alter = (original: SignedMessage, change: Change) => SignedMessage;

function inHeader(name: string): Alter {
  return (original, change) => {
    const headers = { ...original.headers, [name]: change(original.headers[name] ?? '') };
    return { ...original, headers };
  };
}

const parts: Record<string, Alter> = {
  method: (original, change) => ({ ...original, method: change(original.method) }),
  authority: (original, change) => ({ ...original, authorities: original.authorities.map(change) }),
  path: (original, change) => ({ ...original, paths: original.paths.map(change) }),
  query: (original, change) => ({ ...original, query: change(original.query) }),
  body: (original, change) => ({ ...original, body: Buffer.from(change(request.body ?? '')) }),
  'signature-input': inHeader('signature-input'),
  signature: inHeader('signature'),
  'content-digest': inHeader('content-digest'),
  'content-type': inHeader('content-type'),
  'x-list': inHeader('x-list'),
};

/** Whether a modified header is the same message: only white space around it or after commas differs. */
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

test('accepts the request that the tampering tests start from', () => {
  expect(() => verify(signOriginal())).not.toThrow();
});

test('accepts a change of an uncovered header', () => {
  expect(() => verify(inHeader('x-uncovered')(signOriginal(), () => 'something else'))).not.toThrow();
});

test.each(['method', 'authority', 'path', 'query', 'body', 'signature-input', 'signature'])(
  'refuses a change of one character in the %s',
  (part) => {
    const original = signOriginal();
    fc.assert(
      fc.property(edit, (change) => {
        let unchanged = false;
        const message = parts[part]?.(original, (text) => {
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
  },
);

test.each(['content-digest', 'content-type', 'x-list'])(
  'refuses a change of one character in the covered %s, unless it is the same header',
  (name) => {
    const original = signOriginal();
    fc.assert(
      fc.property(edit, (change) => {
        const before = original.headers[name] ?? '';
        const text = applied(change)(before);
        const message = inHeader(name)(original, () => text);

        if (isSameHeader(text, before)) expect(() => verify(message)).not.toThrow();
        else expect(['signature_mismatch', 'signature_malformed']).toContain(refusalOf(() => verify(message)).code);
      }),
      { numRuns: 1000 },
    );
  },
);

test('refuses a change of one bit of the signature as a mismatch', () => {
  const original = signOriginal();
  const mac = Buffer.from(original.headers.signature?.slice('sig1=:'.length, -1) ?? '', 'base64');
  for (let bit = 0; bit < 256; bit += 1) {
    const flipped = mac.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    const message = inHeader('signature')(original, () => `sig1=:${Buffer.from(flipped).toString('base64')}:`);

    expect(refusalOf(() => verify(message)).code).toBe('signature_mismatch');
  }
});

test.each([
  ['time', /created=\d+/, 'created=1795201201'],
  ['nonce', /nonce="n/, 'nonce="N'],
  ['key id', 'svk_k1_billing', 'svk_k1_payroll'],
  ['order', '"@method" "@authority"', '"@authority" "@method"'],
  ['coverage', ' "x-list"', ''],
])('refuses a canonical change of the %s as a mismatch', (_case, from, to) => {
  const original = signOriginal();
  const message = inHeader('signature-input')(original, (text) => text.replace(from, to));

  expect(message.headers['signature-input']).not.toBe(original.headers['signature-input']);
  expect(refusalOf(() => verify(message)).code).toBe('signature_mismatch');
});

test('accepts a label that changed in both headers', () => {
  const original = signOriginal();
  const headers = { ...original.headers };
  for (const name of ['signature', 'signature-input']) headers[name] = headers[name]?.replace('sig1', 'other');

  expect(() => verify({ ...original, headers })).not.toThrow();
});

test('refuses one value for two components', () => {
  const path = '/api/service/users/ada/access\n"@query": ?dry=run&x=1';

  expect(refusalOf(() => verify({ ...signOriginal(), paths: [path] })).code).toBe('signature_malformed');
});
