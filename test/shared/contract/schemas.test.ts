import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { appIdSchema, roleNameSchema, textSchema, timestampSchema, userIdSchema } from '#shared/contract/fields.ts';

describe('ids', () => {
  test.each(['ada', 'auth0|123', 'a+b@c.de', 'urn:x:1', "o'brien@c.de", '...', '=', '!', 'A'.repeat(128)])(
    '%s is a user id',
    (id) => {
      expect(v.is(userIdSchema, id)).toBe(true);
    },
  );

  test('a user id has the unencoded characters of a path segment (RFC 3986 section 3.3), and the bar', () => {
    const all = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code));
    const allowed = all.filter((character) => /^[A-Za-z0-9._~!$&'()*+,;=:@|-]$/.test(character));
    expect(allowed).toHaveLength(26 + 26 + 10 + '-._~'.length + "!$&'()*+,;=".length + ':@|'.length);
    expect(all.filter((character) => v.is(userIdSchema, `a${character}`))).toEqual(allowed);
  });

  test.each(['', '.', '..', 'a b', 'a/b', 'a\\b', 'a#b', 'a?b', 'a%b', 'ä', 'a\n', 'A'.repeat(129), 7, null])(
    '%p is not a user id',
    (id) => {
      expect(v.is(userIdSchema, id)).toBe(false);
    },
  );

  test.each(['', 'a', 'Billing', '1a', 'a_b', `a${'b'.repeat(40)}`, 'a#b', 'ab\n'])(
    '%p is not an application id',
    (id) => {
      expect(v.is(appIdSchema, id)).toBe(false);
    },
  );

  test.each(['', '1a', '_x', 'a b', 'a#b', '__proto__', `a${'b'.repeat(64)}`, 'ab\n'])(
    '%p is not a role name',
    (name) => {
      expect(v.is(roleNameSchema, name)).toBe(false);
    },
  );
});

describe('texts', () => {
  test.each([
    'left',
    'x'.repeat(256),
    '🙂'.repeat(256),
    'gekündigt – 世界',
    'שלום\u200f!',
    'a\u2068b\u2069',
    'one\ntwo',
  ])('%j is a text of 256 characters', (text) => {
    expect(v.is(textSchema(256), text)).toBe(true);
  });

  test.each(['', 'x'.repeat(257), '\ud800', 7, null])('%j is not a text of 256 characters', (text) => {
    expect(v.is(textSchema(256), text)).toBe(false);
  });

  test.each(['\u0000', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'])(
    'a text with %j is refused, because its display would differ from what is stored',
    (character) => {
      const { issues = [] } = v.safeParse(textSchema(256), `left ${character}the team`);
      expect(issues.map(({ message }) => message)).toEqual(['must not hold NUL or bidirectional overrides']);
    },
  );
});

describe('timestamps', () => {
  test.each([
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00.5+02:00', '2027-01-31T10:00:00.500Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    // RFC 3339 section 5.6
    ['2027-01-31t12:00:00z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31t12:00:00.123456-01:30', '2027-01-31T13:30:00.123Z'],
  ])('the timestamp %s is stored as %s', (text, kept) => {
    expect(v.parse(timestampSchema, text)).toBe(kept);
  });

  test.each([
    '2027-01-31',
    '2027-01-31T12:00:00',
    '2027-02-29T00:00:00Z',
    '2027-02-30T00:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-01-01T25:00:00Z',
    'tomorrow',
    '1800000000',
    1_800_000_000,
    '',
  ])('%p is not a timestamp', (text) => {
    expect(v.is(timestampSchema, text)).toBe(false);
  });

  test('every timestamp that Date can write is read back', () => {
    const years = { min: new Date('1970-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(years), (date) => {
        expect(v.parse(timestampSchema, date.toISOString())).toBe(date.toISOString());
      }),
    );
  });
});
