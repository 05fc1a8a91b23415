import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { accessOf, grantedRolesOf } from '#shared/table/items/access-item.ts';
import { applicationOf } from '#shared/table/items/application-item.ts';
import { endedCallOf } from '#shared/table/items/call-item.ts';
import { changeOf } from '#shared/table/items/change-item.ts';
import { memberOf, roleOf } from '#shared/table/items/role-item.ts';
import { userItemOf, userOf } from '#shared/table/items/user-item.ts';

const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
const keyed = (item: object) => ({ pk: 'PK', sk: 'KIND#1', ...item });

describe('an item that lacks what was added later', () => {
  test('reads an access that was never set', () => {
    expect(accessOf(keyed({ userId: 'ada', appId: 'billing', version: 2 }))).toEqual({
      ...{ userId: 'ada', appId: 'billing', version: 2 },
      ...{ status: null, until: null, reason: null, roles: {}, updatedAt: null },
      ...{ statusChangeId: null, userCreatedAt: null, lastChangeId: null, chainHead: null },
    });
  });

  test('reads a grant without an end as one that never ends', () => {
    const roles = { constructor: { grantedAt: times.createdAt } };
    expect(accessOf(keyed({ userId: 'ada', appId: 'billing', version: 2, roles })).roles).toEqual({
      constructor: { grantedAt: times.createdAt, expiresAt: null },
    });
  });

  test('reads a user without name and e-mail address', () => {
    const item = keyed({ userId: 'ada', status: 'active', version: 1, ...times });
    expect(userOf(item)).toEqual({
      userId: 'ada',
      status: 'active',
      displayName: null,
      email: null,
      version: 1,
      ...times,
      lastChangeId: null,
      chainHead: null,
      statusChangeId: null,
      words: null,
    });
  });

  test('reads an application without keys as one that is open to everybody, and a key without ends', () => {
    const application = { appId: 'billing', name: 'Billing', version: 1, ...times };
    const byDefault = { rolloutPercent: 100, requestsPerSecond: null, keys: {}, chainHead: null, closedUntil: null };
    const readApplication = { ...application, ...byDefault };
    expect(applicationOf(keyed(application))).toEqual(readApplication);
    const [scopes, { createdAt }] = [['access:read', 'one:later'], times];
    const keys = { k: { scopes, createdAt }, ending: { scopes, createdAt, expiresAt: '2026-01-03T00:00:00.000Z' } };
    const none = { label: null, issuedBy: null, expiresAt: null, revokedAt: null, lifetimeSeconds: null };
    const read = { scopes, createdAt, ...none };
    expect(applicationOf(keyed({ ...application, keys }))?.keys).toEqual({
      k: read,
      ending: { ...read, expiresAt: '2026-01-03T00:00:00.000Z', lifetimeSeconds: 2 * 86_400 },
    });
  });

  test('reads a role without description, and a member without end', () => {
    const role = { appId: 'billing', role: 'editor', version: 1, ...times };
    expect(roleOf(keyed(role))).toEqual({ ...role, description: null, chainHead: null });
    expect(memberOf(keyed({ userId: 'ada' }))).toEqual({
      userId: 'ada',
      ...{ expiresAt: null, grantedAt: null },
    });
  });

  test('reads a change without sides and reason, in the order in which changes are shown', () => {
    const change = {
      ...{ sourceIp: '192.0.2.7', requestId: 'r', caller: { kind: 'operator', id: 'ada' } },
      ...{ action: 'user.created', at: times.createdAt, id: '01KB3ZC4N7Z3QF4V6E5T8S9R2W' },
    };
    const read = changeOf(keyed({ ...change, ttl: 5 }));
    expect(read).toEqual({ ...change, before: null, after: null, reason: null });
    expect(Object.keys(read)).toEqual([
      'id',
      'at',
      'action',
      'caller',
      'requestId',
      'sourceIp',
      'before',
      'after',
      'reason',
    ]);
  });
});

describe('a deletion mark', () => {
  const user = { userId: 'ada', status: 'active', version: 1, ...times, deleting: true };

  test('a deletion mark hides a user, a role and an application', () => {
    expect(userOf(keyed(user))).toBeUndefined();
    expect(userItemOf(keyed(user))?.deleting).toBe(true);
    expect(roleOf(keyed({ appId: 'billing', role: 'editor', version: 1, ...times, deleting: true }))).toBeUndefined();
    expect(applicationOf(keyed({ appId: 'billing', name: 'B', version: 1, ...times, deleting: true }))).toBeUndefined();
  });
});

describe('a damaged item', () => {
  const application = { appId: 'billing', name: 'Billing', version: 1, ...times };
  const accessWith = (roles: object) => keyed({ userId: 'ada', appId: 'billing', version: 1, roles });

  test('a damaged item is an error that names the attribute and no value', () => {
    const damaged = keyed({ userId: 'ada', appId: 'billing', version: 1, status: 'on', reason: 'private' });
    expect(() => accessOf(damaged)).toThrow('The KIND item cannot be read: status');
    expect(() => userOf(keyed({ userId: 'ada', version: 1, ...times, status: 'unknown' }))).toThrow('status');
  });

  test.each([
    [
      'a grant',
      () => accessOf(accessWith({ editor: { grantedAt: 'private', expiresAt: 7 } })),
      'roles.editor.expiresAt',
    ],
    ['a grant that is no map', () => accessOf(accessWith({ constructor: 'private' })), 'roles.constructor'],
    ['a key', () => applicationOf(keyed({ ...application, keys: { k: { scopes: 'private' } } })), 'keys.k.scopes'],
  ])('an item that is damaged in %s is an error with no stored value in it', (_, read, attribute) => {
    const error = errorOf(read);
    expect(error.message).toBe(`The KIND item cannot be read: ${attribute}`);
    // The log takes all members of an error.
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
  ['that was spent before outcomes were stored', { outcome: 'changed' }],
  ['without an outcome', {}],
  ['whose outcome only a newer version can read', { outcome: '{"later":{}}' }],
  ['refused with a code that only a newer version knows', { outcome: '{"refusal":{"code":"later","detail":""}}' }],
])('a nonce %s has no outcome to answer with', (_, outcome) => {
  const stored = keyed({ requestId: 'r', ttl: 7, ...outcome });
  expect(endedCallOf(stored)).toEqual({ requestId: 'r', outcome: undefined, ttl: 7, stored });
});

test('an access can be erased whatever else of it is damaged', () => {
  const damaged = keyed({ userId: 'ada', appId: 'billing', status: 'on', roles: { editor: null, constructor: {} } });
  expect(grantedRolesOf(damaged)).toEqual({ userId: 'ada', appId: 'billing', roles: ['editor', 'constructor'] });
  expect(grantedRolesOf(keyed({ userId: 'ada', appId: 'billing' })).roles).toEqual([]);
});

test.each([
  ['null', null],
  ['a text', 'editor'],
])('an access whose roles are %s is not erased as one without roles', (_, roles) => {
  expect(() => grantedRolesOf(keyed({ userId: 'ada', appId: 'billing', roles }))).toThrow('cannot be read: roles');
});
