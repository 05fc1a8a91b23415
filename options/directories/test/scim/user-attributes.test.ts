import { describe, expect, test } from '@jest/globals';
import type { DirectoryUserState, JsonObject } from '../../scim/directory.ts';
import { emailsOf, foldCase, nameForPeople, withLoginName } from '../../scim/user-attributes.ts';

test('texts are the same in any case and in each form of Unicode, and ß is not ss', () => {
  expect(foldCase('JOSE\u0301@Example.COM')).toBe('jos\u00e9@example.com');
  expect(foldCase('stra\u00dfe')).not.toBe(foldCase('strasse'));
});

describe('the e-mail addresses of a user', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['begin with the primary one', [{ value: 'a' }, { value: 'b', primary: true }, { value: 'c' }], ['b', 'a', 'c']],
    ['keep their order without one', [{ value: 'b' }, { value: 'a', primary: false }], ['b', 'a']],
    ['are each listed once', [{ value: 'a' }, { value: 'a', type: 'work' }], ['a']],
    ['are texts', [{ value: '' }, { value: 7 }, {}, null, 'b', ['c'], { value: 'a' }], ['a']],
    ['are a list', { value: 'a' }, []],
    ['can be absent', undefined, []],
  ])('%s', (_, emails, expected) => {
    expect(emailsOf({ emails } as JsonObject)).toEqual(expected);
  });
});

describe('the name for people', () => {
  test.each<[string, unknown, string | undefined]>([
    ['is the display name', { displayName: 'D', name: { formatted: 'F', givenName: 'G' } }, 'D'],
    ['or else the whole name', { displayName: ' ', name: { formatted: 'F', givenName: 'G' } }, 'F'],
    ['or else both parts', { displayName: 7, name: { formatted: '', givenName: 'G', familyName: 'H' } }, 'G H'],
    ['or else one of them', { name: { givenName: '', familyName: 'H' } }, 'H'],
    ['whatever the other is', { name: { givenName: 'G', familyName: 7 } }, 'G'],
    ['is missing without any', { name: { givenName: ' ' } }, undefined],
    ['also if the name is text', { name: 'Ada' }, undefined],
    ['or null', { name: null }, undefined],
    ['or a list', { name: [{ formatted: 'F' }] }, undefined],
    ['or absent', {}, undefined],
  ])('%s', (_, attributes, expected) => {
    expect(nameForPeople(attributes as JsonObject)).toBe(expected);
  });
});

describe('the login name of a user that is deactivated', () => {
  const current: DirectoryUserState = {
    userName: 'Ada@x.io',
    externalId: 'e',
    active: true,
    attributes: { title: 'T' },
  };
  const digits = '0123456789abcdefABCDEF0123456789';

  test.each([
    ['stays, if the new one is that of a deleted object', `${digits}ada@X.io`, false, 'Ada@x.io'],
    ['changes with fewer digits', `${digits.slice(1)}ada@x.io`, false, `${digits.slice(1)}ada@x.io`],
    ['changes with others', `g${digits.slice(1)}ada@x.io`, false, `g${digits.slice(1)}ada@x.io`],
    ['changes with only the first of them', `0${'x'.repeat(31)}ada@x.io`, false, `0${'x'.repeat(31)}ada@x.io`],
    ['changes with something before them', `-${digits}ada@x.io`, false, `-${digits}ada@x.io`],
    ['changes to that of another user', `${digits}bob@x.io`, false, `${digits}bob@x.io`],
    ['changes if the user stays active', `${digits}ada@x.io`, true, `${digits}ada@x.io`],
    ['changes to any other', 'bob@x.io', false, 'bob@x.io'],
  ])('%s', (_, userName, active, expected) => {
    const next = { ...current, userName, active, externalId: null, attributes: {} };
    expect(withLoginName(current, next)).toEqual({ ...next, userName: expected });
  });
});
