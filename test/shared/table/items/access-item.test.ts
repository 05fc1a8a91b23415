import { describe, expect, test } from '@jest/globals';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { accessOf, accessOrDefault, isDefaultAccess, liveGrants } from '#shared/table/items/access-item.ts';
import { aSetting, storedAccess } from '../../../support/stored-items.ts';

const at = new Date('2026-11-20T19:00:00.000Z');
const grantedAt = '2026-01-01T00:00:00.000Z';
const live = { grantedAt, expiresAt: '2026-11-20T19:00:00.001Z' };
const ended = { ...live, expiresAt: at.toISOString() };
const [userId, appId] = ['ada' as UserId, 'billing' as AppId];
const untouched = {
  userId,
  appId,
  status: null,
  ...aSetting({}),
  roles: {},
  version: 0,
  updatedAt: null,
  userCreatedAt: null,
  lastChangeId: null,
  statusChangeId: null,
  chainHead: null,
};

describe('liveGrants', () => {
  test('liveGrants omits a grant from the exact time of its expiry', () => {
    expect(liveGrants({ ...untouched, roles: { live, ended } }, at)).toEqual([['live', live]]);
  });

  test.each([
    ['admin', 'editor', 'viewer'],
    ['viewer', 'editor', 'admin'],
    ['editor', 'viewer', 'admin'],
  ])('liveGrants lists %s, %s and %s by name, whatever their order in the item', (...stored) => {
    const roles = Object.fromEntries(stored.map((name) => [name, live]));
    const listed = liveGrants({ ...untouched, roles }, at).map(([name]) => name);
    expect(listed).toEqual(['admin', 'editor', 'viewer']);
  });
});

describe('isDefaultAccess', () => {
  test.each([
    ['without status and roles is the default', {}, true],
    ['whose roles have all expired is the default', { roles: { ended } }, true],
    ['with a role is not the default', { roles: { ended, live } }, false],
    ['that was enabled is not the default', { status: 'enabled' }, false],
    ['that was disabled is not the default', { status: 'disabled' }, false],
  ] as const)('an access %s', (_, difference, expected) => {
    expect(isDefaultAccess({ ...untouched, ...difference }, at)).toBe(expected);
  });
});

test('without a stored access, the default one has version 0', () => {
  expect(accessOrDefault(undefined, userId, appId)).toEqual(untouched);
});

test('a stored access replaces the default one', () => {
  const item = { pk: 'USER#ada', sk: 'ACCESS#billing', ...storedAccess({ status: 'disabled', version: 3 }) };
  expect(accessOrDefault(item, userId, appId)).toEqual(accessOf(item));
  expect(accessOf(item)).toMatchObject({ status: 'disabled', version: 3 });
});
