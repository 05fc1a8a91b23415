import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createContentDigest, verifyContentDigest } from '#shared/signature/digest.ts';
import { refusalOf } from './signing-fixture.ts';

const body = Buffer.from('{"hello": "world"}\n');
const base64 = createHash('sha256').update(body).digest('base64');
const digest = `sha-256=:${base64}:`;
const sha512 = `sha-512=:${createHash('sha512').update(body).digest('base64')}:`;

test('creates the digest of RFC 9530 appendix B.1', () => {
  expect(createContentDigest(body)).toBe('sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:');
});

test('reports the number of received bytes if the digest does not match', () => {
  const refusal = refusalOf(() => verifyContentDigest(digest, Buffer.from('other')));

  expect(refusal).toMatchObject({
    code: 'digest_mismatch',
    detail: 'Content-Digest: not the SHA-256 of the 5 bytes received',
    members: { receivedBytes: 5 },
  });
});

test.each([`${sha512}, ${digest}`, `${digest},${sha512}`, `${digest} ,\t${sha512}`, `unixsum=::, ${digest}`])(
  'ignores the members of other algorithms: %s',
  (header) => {
    expect(() => verifyContentDigest(header, body)).not.toThrow();
  },
);

test('ignores a wrong SHA-512 next to the right SHA-256', () => {
  expect(() => verifyContentDigest(`sha-512=:AAAA:, ${digest}`, body)).not.toThrow();
});

test.each([
  ['an empty header', ''],
  ['another algorithm alone', sha512],
  ['two sha-256 members', `${digest}, ${digest}`],
  ['a member without a value', 'sha-256'],
  ['a string for a value', `sha-256="${base64}"`],
  ['a parameter', `${digest};a=1`],
  ['an upper-case algorithm', digest.toUpperCase()],
  ['a trailing comma', `${digest},`],
  ['31 bytes', `sha-256=:${Buffer.alloc(31).toString('base64')}:`],
  ['33 bytes', `sha-256=:${Buffer.alloc(33).toString('base64')}:`],
  ['no bytes', 'sha-256=::'],
  ['missing padding', `sha-256=:${base64.slice(0, -1)}:`],
  ['the URL alphabet', `sha-256=:${base64.replaceAll('/', '_')}:`],
  ['stray bits in the last character', `sha-256=:${base64.slice(0, -2)}h=:`],
  ['text after it', `${digest} x`],
  ['text before it', `x ${digest}`],
])('refuses as malformed a Content-Digest: %s', (_case, header) => {
  expect(refusalOf(() => verifyContentDigest(header, body))).toMatchObject({
    code: 'signature_malformed',
    detail: expect.stringMatching(/^Content-Digest: /),
  });
});
