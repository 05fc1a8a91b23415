import { expect, test } from '@jest/globals';
import { algorithmOf } from '#shared/signature/algorithm.ts';
import { parseSignature } from '#shared/signature/scan.ts';
import { refusalOf } from './signing-fixture.ts';

const mac = Buffer.alloc(32, 7);
const signature = `sig1=:${mac.toString('base64')}:`;
const params = ';created=1795201200;nonce="0123456789abcdef";keyid="svk_k1_app_1"';
const input = `sig1=("@method" "@authority" "@path")${params}`;

function withParams(text: string): string {
  return `sig1=("@method")${text}`;
}

test('parses a signature, whose raw text after the label is the value of @signature-params', () => {
  expect(parseSignature(input, signature)).toEqual({
    label: 'sig1',
    components: ['@method', '@authority', '@path'],
    signatureParams: input.slice('sig1='.length),
    algorithm: algorithmOf('svk_k1_app_1'),
    created: 1795201200,
    expires: undefined,
    nonce: '0123456789abcdef',
    keyId: 'svk_k1_app_1',
    mac,
  });
});

test('removes the escapes of quotes and backslashes in the values of parameters', () => {
  const text = withParams(String.raw`;created=0;nonce="\"\\0123456789abcd";keyid="svk_1"`);

  expect(parseSignature(text, signature)).toMatchObject({ nonce: '"\\0123456789abcd', keyId: 'svk_1' });
});

test.each([
  '',
  'x',
  'svk_',
  'SVK_k1_app_1',
  'xsvk_k1',
  'svk_a b',
  'svk_a.b',
  String.raw`svk_a\"b`,
  `svs_${'A'.repeat(43)}`,
])('refuses the invalid key id %p without echoing it', (keyId) => {
  const text = withParams(`;created=0;nonce="0123456789abcdef";keyid="${keyId}"`);

  expect(refusalOf(() => parseSignature(text, signature))).toMatchObject({
    code: 'signature_malformed',
    detail: 'Signature-Input: parameter "keyid" must be the id of a key, svk_…; its secret, svs_…, is never sent',
  });
});

test('accepts any label, any order of parameters, and optional parameters', () => {
  const label = '*a-b_c.1';
  const text = `${label}=();tag="t";alg="hmac-sha256";keyid="svk_k";expires=999999999999999;nonce="0123456789abcdef";created=0`;

  const parsed = parseSignature(text, signature.replace('sig1', label));

  expect(parsed).toMatchObject({ label, created: 0, expires: 999_999_999_999_999, components: [] });
});

test('refuses a signature that expires before its creation, and accepts one that expires in the same second', () => {
  const text = (expires: number) => withParams(`${params};expires=${expires}`);

  expect(parseSignature(text(1795201200), signature)).toMatchObject({ expires: 1795201200 });
  expect(refusalOf(() => parseSignature(text(1795201199), signature))).toMatchObject({
    code: 'signature_malformed',
    detail: 'Signature-Input: parameter "expires" is before "created"',
  });
});

const component = (name: string) => `sig1=("@method" "${name}")${params}`;
test.each([
  ['', 'expected a label at position 0'],
  ['Sig1=()', 'expected a label at position 0'],
  ['sig1', 'expected "=" at position 4'],
  ['sig1;a=1', 'expected "=" at position 4'],
  ['sig1=1', 'expected "(" at position 5'],
  [` ${input}`, 'expected a label at position 0'],
  [`${input} `, `expected ";" or the end at position ${input.length}`],
  [`${input},sig2=()${params}`, 'exactly one signature is allowed'],
  [`${input}, ${input}`, 'exactly one signature is allowed'],
  [input.replace('" "', '"  "'), 'expected a component name in quotes at position 16'],
  [input.replace('" "', '"\t"'), 'expected " " at position 15'],
  [input.replace('(', '( '), 'expected a component name in quotes at position 6'],
  [input.replace(')', ' )'), 'expected a component name in quotes at position 37'],
  [`sig1=( )${params}`, 'expected a component name in quotes at position 6'],
  [`sig1=(@method)${params}`, 'expected a component name in quotes at position 6'],
  ['sig1=("@method"', 'expected " " at position 15'],
  [input.replace('"@path"', '"@path";req'), 'component "@path" has a parameter; none is supported'],
  [component('x-list";sf "y'), 'component "x-list" has a parameter; none is supported'],
  [component('@method'), 'component "@method" is covered twice'],
  [component('Content-Type'), 'component "Content-Type" must be in lower case'],
  [component(''), 'component "" is not the name of a header'],
  [component('content type'), 'component "content type" is not the name of a header'],
  [component('a\\"b'), 'component "a\\"b" is not the name of a header'],
  [component('signature'), 'component "signature" cannot cover the signature itself'],
  [component('signature-input'), 'component "signature-input" cannot cover the signature itself'],
  [component('forwarded'), 'component "forwarded" belongs to proxies'],
  [component('x-forwarded-host'), 'component "x-forwarded-host" belongs to proxies'],
  ...['@target-uri', '@scheme', '@request-target', '@query-param', '@status', '@signature-params', '@Method'].map(
    (name) => [component(name), `component "${name}" is not supported; derived are @method, @authority, @path, @query`],
  ),
  [withParams(''), 'parameter "created" is missing'],
  [input.replace(/;created=\d+/, ''), 'parameter "created" is missing'],
  [input.replace(/;nonce="\w+"/, ''), 'parameter "nonce" is missing'],
  [input.replace(/;keyid="\w+"/, ''), 'parameter "keyid" is missing'],
  [`${input};keyid="other"`, 'parameter "keyid" is given twice'],
  [`${input};req`, 'parameter "req" is unknown'],
  [`${input};constructor="x"`, 'parameter "constructor" is unknown'],
  [`${input};`, `expected a parameter name at position ${input.length + 1}`],
  [`${input};Tag="x"`, `expected a parameter name at position ${input.length + 1}`],
  [`${input}; tag="x"`, `expected a parameter name at position ${input.length + 1}`],
  [`${input};tag`, `expected "=" at position ${input.length + 4}`],
  [`${input};tag=token`, `expected a string in quotes as the value of "tag" at position ${input.length + 5}`],
  [`${input};tag="a\\b"`, `expected a string in quotes as the value of "tag" at position ${input.length + 5}`],
  [`${input};tag="ü"`, `expected a string in quotes as the value of "tag" at position ${input.length + 5}`],
  [`${input};tag="a`, `expected a string in quotes as the value of "tag" at position ${input.length + 5}`],
  [`${input};alg="hmac-sha512"`, 'parameter "alg" must be "hmac-sha256" if present'],
  [`${input};alg="HMAC-SHA256"`, 'parameter "alg" must be "hmac-sha256" if present'],
  ...['01', '+1', '-1', '"1"', '', '1234567890123456', '?1', '@1'].map((value) => [
    `${input};expires=${value}`,
    `expected an integer of at most 15 digits as the value of "expires" at position ${input.length + 9}`,
  ]),
  [`${input};expires=1.0`, `expected ";" or the end at position ${input.length + 10}`],
  [input.replace('0123456789abcdef', '0123456789abcde'), 'parameter "nonce" must have 16 to 64 characters, not 15'],
  [input.replace('0123456789abcdef', 'n'.repeat(65)), 'parameter "nonce" must have 16 to 64 characters, not 65'],
])('refuses this Signature-Input and says where: %s', (text = '', detail = '') => {
  const refusal = refusalOf(() => parseSignature(text, signature));

  expect(refusal).toMatchObject({ code: 'signature_malformed', detail: `Signature-Input: ${detail}` });
});

test('accepts a nonce of 64 characters, counted without escapes', () => {
  const text = input.replace('0123456789abcdef', `${'n'.repeat(62)}\\"\\\\`);

  expect(parseSignature(text, signature).nonce).toHaveLength(64);
});

test('accepts a Signature-Input of 2,048 bytes and refuses one of 2,049', () => {
  const padded = (length: number) => `${input};tag="${'t'.repeat(length - input.length - 7)}"`;

  expect(parseSignature(padded(2048), signature).keyId).toBe('svk_k1_app_1');
  expect(refusalOf(() => parseSignature(padded(2049), signature)).detail).toBe(
    'Signature-Input: longer than 2048 bytes',
  );
});

const base64 = mac.toString('base64');
const oneMember = 'expected one label=:base64: with the 44 characters of 32 bytes';
test.each([
  ['no text', '', oneMember],
  ['another label', `sig2=:${base64}:`, 'its label is not "sig1", the one in Signature-Input'],
  ['a longer label', `sig11=:${base64}:`, 'its label is not "sig1", the one in Signature-Input'],
  ['a label in upper case', `SIG1=:${base64}:`, oneMember],
  ['a second member', `${signature}, ${signature}`, oneMember],
  ['a parameter', `${signature};a=1`, oneMember],
  ['white space around it', ` ${signature}`, oneMember],
  ['white space inside it', signature.replace('=:', '= :'), oneMember],
  ['a line break after it', `${signature}\n`, oneMember],
  ['a string', `sig1="${base64}"`, oneMember],
  ['31 bytes', `sig1=:${Buffer.alloc(31).toString('base64')}:`, oneMember],
  ['33 bytes', `sig1=:${Buffer.alloc(33).toString('base64')}:`, oneMember],
  ['no padding', signature.replace(/=:$/, ':'), oneMember],
  ['the URL alphabet', `sig1=:${'_'.repeat(42)}8=:`, oneMember],
  ['stray bits in the last character', signature.replace(/.=:$/, 'd=:'), 'the base64 is not canonical'],
])('refuses a Signature that has %s', (_case, text, detail) => {
  const refusal = refusalOf(() => parseSignature(input, text));

  expect(refusal).toMatchObject({ code: 'signature_malformed', detail: `Signature: ${detail}` });
});
