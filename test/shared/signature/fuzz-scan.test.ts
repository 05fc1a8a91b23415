import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SignatureError } from '#shared/signature/error.ts';
import { type ParsedSignature, parseSignature } from '#shared/signature/scan.ts';

const mac = Buffer.alloc(32, 7);
const signature = `sig1=:${mac.toString('base64')}:`;
const params = ';created=1795201200;nonce="0123456789abcdef";keyid="svk_k1_app_1"';
const input = `sig1=("@method" "@authority" "@path")${params}`;

function parsedOrRefused(signatureInput: string, signatureText: string): ParsedSignature | undefined {
  try {
    return parseSignature(signatureInput, signatureText);
  } catch (error) {
    if (error instanceof SignatureError && error.code === 'signature_malformed') return undefined;
    throw error;
  }
}

const piece = fc.constantFrom(
  'sig1',
  '=',
  '(',
  ')',
  '"@method"',
  '"',
  ' ',
  ';',
  'created',
  'nonce',
  '1',
  ',',
  '\\',
  ':',
  '\t',
  'é',
  '\ud800',
);
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: piece, maxLength: 40 }));

test('throws only SignatureErrors, whatever the headers are', () => {
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      expect(parsedOrRefused(one, other)).toBeUndefined();
      expect(parsedOrRefused(input, one)).toBeUndefined();
      parsedOrRefused(one, signature);
    }),
    { numRuns: 1000 },
  );
});

test('accepts a damaged Signature-Input only if it is still canonical', () => {
  const damages = fc.array(
    fc.tuple(fc.nat(input.length), fc.nat(3), fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 1 }))),
    { minLength: 1, maxLength: 3 },
  );
  fc.assert(
    fc.property(damages, (list) => {
      const text = list.reduce(
        (whole, [at, removed, put]) => whole.slice(0, at) + put + whole.slice(at + removed),
        input,
      );
      const parsed = parsedOrRefused(text, signature);
      if (parsed !== undefined) expect(serialize(parsed, text)).toBe(text);
    }),
    { numRuns: 2000 },
  );
});

test('accepts every canonical signature and returns its content', () => {
  fc.assert(
    fc.property(canonicalSignature, (expected) => {
      const order = expected.components.map((name) => `"${name}"`).join(' ');
      const text = `${expected.label}=(${order});created=${expected.created};keyid=${quoted(expected.keyId)};nonce=${quoted(expected.nonce)}`;

      const parsed = parseSignature(text, `${expected.label}=:${Buffer.from(expected.mac).toString('base64')}:`);

      expect(parsed).toMatchObject({ ...expected, mac: Buffer.from(expected.mac) });
    }),
  );
});

const printable = fc.string({ unit: 'grapheme-ascii', minLength: 16, maxLength: 64 });
const canonicalSignature = fc.record({
  label: fc.stringMatching(/^[a-z*][a-z0-9_.*-]{0,20}$/),
  components: fc.uniqueArray(
    fc.oneof(
      fc.constantFrom('@method', '@authority', '@path', '@query'),
      fc.stringMatching(/^x[!#$%&'*+.^_`|~0-9a-z-]{0,10}$/),
    ),
  ),
  created: fc.nat({ max: 999_999_999_999_999 }),
  keyId: fc.stringMatching(/^svk_[A-Za-z0-9_-]{1,60}$/),
  nonce: printable,
  mac: fc.uint8Array({ minLength: 32, maxLength: 32 }),
});

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** Serializes a parsed signature again, with its parameters in the order of the text. */
function serialize(parsed: ParsedSignature, text: string): string {
  const values: Record<string, string> = {
    created: String(parsed.created),
    nonce: quoted(parsed.nonce),
    keyid: quoted(parsed.keyId),
  };
  const order = Object.keys(values).sort((one, other) => text.indexOf(`;${one}=`) - text.indexOf(`;${other}=`));
  const list = parsed.components.map((name) => `"${name}"`).join(' ');
  return `${parsed.label}=(${list})${order.map((name) => `;${name}=${values[name]}`).join('')}`;
}
