import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { emailAddressSchema, isEmailAddress } from '#shared/contract/email-address.ts';

/** The cases of the JSON Schema test suite, formats `email` and `idn-email`, without quoted strings and address literals. */
describe('as the JSON Schema test suite, an e-mail address', () => {
  test.each([
    'joe.bloggs@example.com',
    'te~st@example.com',
    '~test@example.com',
    'test~@example.com',
    'te.s.t@example.com',
    'test@255.255.255.255',
    'test@c--n.com',
    'test@123.com',
    'test@io',
    '실례@실례.테스트',
  ])('can be %s', (address) => {
    expect(isEmailAddress(address)).toBe(true);
  });

  test.each([
    '2962',
    '.test@example.com',
    'test.@example.com',
    'te..st@example.com',
    'joe.bloggs@invalid=domain.com',
    'joe.bloggs@[127.0.0.300]',
    'user1@oceania.org, user2@oceania.org',
    '@example.com',
    'joe.bloggs@',
    '"Winston Smith" <winston.smith@recdep.minitrue> (Records Department)',
    'joe bloggs@example.com',
    'a＠iana.org',
    'test@iana.org\n',
    'test@iana.org\r',
    'a@iana.org ',
    ' a@iana.org',
    'a\tb@iana.org',
    '\x7f@iana.org',
    'test"@iana.org',
    '"test"test@iana.org',
    '"test@iana.org',
    'a@b@c.org',
    'test\\@test@iana.org',
    '[1.2.3.4]@iana.org',
    '',
    'test@-iana.org',
    'test@iana-.com',
    'test@.iana.org',
    'test@iana.org.',
    'test@iana..com',
    'test@[1.2.3.4',
    'a@[]',
    'a@[1.2.3]',
    'test@[RFC-5322-domain-literal]',
    'test@a[255.255.255.255]',
    'a,b@iana.org',
    'a;b@iana.org',
    'a:b@iana.org',
    'test(comment)@iana.org',
    'a@b(c).org',
    '\ud800@example.com',
  ])('cannot be %j', (address) => {
    expect(isEmailAddress(address)).toBe(false);
  });
});

test.each([
  "o'brien@example.com",
  'a&b@example.com',
  'a=b@example.com',
  'name/surname@example.com',
  'a+b@example.com',
  '!#$%&*?^_`{|}@example.com',
  '-@example.com',
  'A.B@Example.COM',
  'user@xn--mller-kva.de',
  'user@müller.de',
  'mu\u0308ller@example.com',
  'почта@пример.рф',
  'user@col·lega.cat',
  '用户@例子.广告',
  `${'a'.repeat(64)}@example.com`,
])('%s is an e-mail address', (address) => {
  expect(isEmailAddress(address)).toBe(true);
});

test.each([
  '"a b"@example.com',
  'a@[192.0.2.1]',
  'a@[IPv6:::1]',
  'a\u202Eb@example.com',
  'a\0@example.com',
  'a@exa_mple.com',
  `${'a'.repeat(65)}@example.com`,
  `${'ä'.repeat(33)}@example.com`,
  `a@${'b'.repeat(64)}.com`,
  'a\u200bb@example.com',
  `a@${'example.'.repeat(31)}museum`,
  '{"value":"a@example.com"}',
  'mailto:a@example.com',
])('%j is not an e-mail address that is kept', (address) => {
  expect(isEmailAddress(address)).toBe(false);
});

test.each([
  ['no address', 'must be an e-mail address'],
  [`a@${'example.'.repeat(31)}museum`, 'must be at most 254 bytes'],
])('%s is refused with one reason', (address, reason) => {
  const { issues } = v.safeParse(emailAddressSchema, address);
  expect(issues?.map(({ message }) => message)).toEqual([reason]);
});

test('a text of any length is judged in no time', () => {
  for (const text of [
    'a'.repeat(50_000),
    `a@${'b-'.repeat(25_000)}`,
    `${'a.'.repeat(25_000)}@`,
    `a@${'b.'.repeat(25_000)}`,
  ]) {
    expect(isEmailAddress(text)).toBe(false);
  }
});
