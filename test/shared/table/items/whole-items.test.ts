import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { accessFields } from '#shared/contract/access-fields.ts';
import { keyFields } from '#shared/contract/api-key-fields.ts';
import { optionalApplicationFields } from '#shared/contract/application-fields.ts';
import { roleFields } from '#shared/contract/role-fields.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import type { Item } from '#shared/table/client.ts';
import { accessOf, grantedRolesOf } from '#shared/table/items/access-item.ts';
import { applicationOf } from '#shared/table/items/application-item.ts';
import { completedCallOf } from '#shared/table/items/call-item.ts';
import { changeOf } from '#shared/table/items/change-item.ts';
import { memberOf, roleOf } from '#shared/table/items/role-item.ts';
import { userItemOf, userOf } from '#shared/table/items/user-item.ts';
import {
  storedAccess,
  storedApplication,
  storedChange,
  storedKey,
  storedMember,
  storedRole,
  storedUser,
} from '../../../support/stored-items.ts';

const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
const keyed = (item: object) => ({ pk: 'PK', sk: 'KIND#1', ...item });
const keyIn = (key: Item) => applicationOf(keyed({ ...storedApplication(), keys: { k: key } }))?.keys.k;
const optionalFields = [accessFields, userFields, optionalApplicationFields, roleFields].flatMap(Object.keys);

describe('an item that was written whole', () => {
  test.each<[string, (item: Item) => unknown, object]>([
    ['access', accessOf, storedAccess({ roles: { constructor: { grantedAt: times.createdAt, expiresAt: null } } })],
    ['user', userOf, storedUser()],
    ['application', applicationOf, storedApplication({ keys: { k: storedKey() } })],
    ['role', roleOf, storedRole()],
    ['member', memberOf, storedMember()],
    ['change', changeOf, storedChange()],
  ])('is read unchanged, and refused if any attribute of the %s is missing', (_, read, item) => {
    expect(read(keyed({ ...item, ttl: 5 }))).toEqual(item);
    const optional = ['appId', 'userId', 'closedUntil', ...optionalFields];
    for (const name of Object.keys(item).filter((each) => !optional.includes(each))) {
      expect(() => read(keyed({ ...item, [name]: undefined }))).toThrow(`The KIND item cannot be read: ${name}`);
    }
  });

  test.each<[string, (item: Item) => unknown, object, object]>([
    ['access', accessOf, storedAccess(), accessFields],
    ['user', userOf, storedUser(), userFields],
    ['application', applicationOf, storedApplication(), optionalApplicationFields],
    ['role', roleOf, storedRole(), roleFields],
    ['key', keyIn, storedKey(), keyFields],
  ])(
    'is read without the fields of the %s that did not exist yet, as if they were never set',
    (_, read, item, fields) => {
      const older = Object.entries(item).filter(([name]) => !(name in fields));
      expect(Object.keys(item)).toEqual(expect.arrayContaining(Object.keys(fields)));
      expect(read(keyed(Object.fromEntries(older)))).toEqual(item);
    },
  );

  test('a change has its members in the order in which changes are shown', () => {
    const { appId, ...change } = storedChange();
    expect(Object.keys(changeOf(keyed({ ...change, appId })))).toEqual([
      'id',
      'at',
      'action',
      'appId',
      'userId',
      'caller',
      'requestId',
      'sourceIp',
      'before',
      'after',
      'reason',
      'integrity',
    ]);
  });
});

describe('a deletion mark', () => {
  const deleting = { deleting: true };

  test('a deletion mark hides a user, a role and an application', () => {
    expect(userOf(keyed({ ...storedUser(), ...deleting }))).toBeUndefined();
    expect(userItemOf(keyed({ ...storedUser(), ...deleting }))?.deleting).toBe(true);
    expect(roleOf(keyed({ ...storedRole(), ...deleting }))).toBeUndefined();
    expect(applicationOf(keyed({ ...storedApplication(), ...deleting }))).toBeUndefined();
  });
});

describe('a damaged item', () => {
  const accessWith = (roles: object) => keyed({ ...storedAccess(), roles });

  test('a damaged item causes an error that names the attribute but no value', () => {
    const damaged = keyed({ ...storedAccess(), status: 'on', reason: 'private' });
    expect(() => accessOf(damaged)).toThrow('The KIND item cannot be read: status');
    expect(() => userOf(keyed({ ...storedUser(), status: 'unknown' }))).toThrow('status');
  });

  test.each([
    [
      'a grant',
      () => accessOf(accessWith({ editor: { grantedAt: 'private', expiresAt: 7 } })),
      'roles.editor.expiresAt',
    ],
    ['a grant that is not a map', () => accessOf(accessWith({ constructor: 'private' })), 'roles.constructor'],
    [
      'a key',
      () => applicationOf(keyed({ ...storedApplication(), keys: { k: { ...storedKey(), scopes: 'private' } } })),
      'keys.k.scopes',
    ],
  ])('an item damaged in %s causes an error without stored values', (_, read, attribute) => {
    const error = errorOf(read);
    expect(error.message).toBe(`The KIND item cannot be read: ${attribute}`);
    // The log contains all members of an error.
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('private');
  });
});

function errorOf(read: () => unknown): Error {
  try {
    read();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('It was read');
}

test.each([
  ['without an outcome', {}],
  ['whose outcome only a newer version can read', { outcome: '{"later":{}}' }],
  ['refused with a code that only a newer version knows', { outcome: '{"refusal":{"code":"later","detail":""}}' }],
])('a nonce %s has no outcome to return', (_, outcome) => {
  const stored = keyed({ requestId: 'r', request: 'd', ttl: 7, ...outcome });
  expect(completedCallOf(stored)).toEqual({ requestId: 'r', request: 'd', outcome: undefined, ttl: 7, stored });
});

test('an access can be erased even if it is damaged', () => {
  const damaged = keyed({ userId: 'ada', appId: 'billing', status: 'on', roles: { editor: null, constructor: {} } });
  expect(grantedRolesOf(damaged)).toEqual({
    userId: 'ada',
    appId: 'billing',
    roles: ['editor', 'constructor'],
    status: 'on',
    until: null,
  });
});

test.each([
  ['missing', undefined],
  ['null', null],
  ['a text', 'editor'],
])('an access whose roles are %s is not erased as if it had no roles', (_, roles) => {
  expect(() => grantedRolesOf(keyed({ userId: 'ada', appId: 'billing', roles }))).toThrow('cannot be read: roles');
});
