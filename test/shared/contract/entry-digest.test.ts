import { expect, test } from '@jest/globals';
import { digestOf, settingOf, textOfAccess, textOfErased } from '#shared/contract/entry-digest.ts';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const text = (members: object = {}) => textOfAccess({ userId: 'ada', setting: 'disabled', roles: [], ...members }, 0);

test('a digest does not depend on the order of texts, and omits defaults', () => {
  expect(digestOf(['a', undefined, 'b'])).toBe(digestOf(['b', 'a']));
  expect(digestOf([])).toBe('0-0-0');
});

test.each([
  ['a missing text', ['a']],
  ['an additional text', ['a', 'b', 'c']],
  ['another text', ['a', 'c']],
  ['a doubled text', ['a', 'b', 'b', 'b']],
  ['texts that are joined', ['ab']],
])('a digest changes with %s', (_, texts) => {
  expect(digestOf(texts)).not.toBe(digestOf(['a', 'b']));
});

test.each([
  ['the user', { userId: 'zoe' }],
  ['the status', { setting: 'enabled' }],
  ['the expiry of a block', { setting: settingOf('disabled', at(9)) }],
  ['a role', { roles: [{ name: 'editor', expiresAt: null }] }],
  ['the expiry of a role', { roles: [{ name: 'editor', expiresAt: at(9) }] }],
])('the text of an access contains %s', (_, members) => {
  expect(text(members)).not.toBe(text());
});

test('the text of an access depends neither on the order of roles nor on the form of a time', () => {
  const roles = [
    { name: 'editor', expiresAt: '2027-01-31T12:00:00Z' },
    { name: 'viewer', expiresAt: null },
  ];
  const same = [
    { name: 'viewer', expiresAt: null },
    { name: 'editor', expiresAt: '2027-01-31T13:00:00.000+01:00' },
  ];
  expect(text({ roles })).toBe(text({ roles: same }));
});

test('a default access, an expired role and a forgotten erased user have no text', () => {
  const roles = [{ name: 'editor', expiresAt: at(5) }];
  expect(textOfAccess({ userId: 'ada', setting: false, roles }, 5000)).toBeUndefined();
  expect(textOfAccess({ userId: 'ada', setting: false, roles }, 4999)).toBeDefined();
  expect(textOfErased('ada', 5000, 5000)).toBeUndefined();
  expect(textOfErased('ada', 5000, 4999)).toBeDefined();
});
