import { describe, expect, test } from '@jest/globals';
import type { RoleName } from '#shared/contract/fields.ts';
import { maxRolesPerAccess } from '#shared/contract/grant.ts';
import { invalidField } from '#shared/core/errors.ts';
import { decideAssignment, decideRevocation, decideStatusChange } from '#shared/domain/access/decide-access-change.ts';
import type { Grant, StoredAccess } from '#shared/table/items/access-item.ts';
import { aSetting, storedAccess } from '../../../support/stored-items.ts';

const at = new Date('2026-11-20T19:00:00.000Z');
const later = '2027-11-20T19:00:00.000Z';
const roleCreatedAt = '2025-12-01T00:00:00.000Z';
const grant: Grant = { grantedAt: '2026-01-01T00:00:00.000Z', expiresAt: null };
const ended: Grant = { ...grant, expiresAt: '2026-11-20T18:00:00.000Z' };
const editor = 'editor' as RoleName;

function accessWith(roles: StoredAccess['roles']): StoredAccess {
  return storedAccess({ status: 'disabled', reason: 'left the team', roles, version: 4 });
}

describe('decideAssignment', () => {
  test('assigns a role that is not held and changes nothing else', () => {
    const current = accessWith({ viewer: grant });
    const given = { grantedAt: at.toISOString(), expiresAt: null };
    expect(decideAssignment(current, { role: editor, expiresAt: null, roleCreatedAt }, at)).toEqual({
      action: 'role.assigned',
      role: 'editor',
      next: { ...current, roles: { viewer: grant, editor: given } },
      before: { granted: false, expiresAt: null },
      after: { granted: true, expiresAt: null },
      granted: { editor: given },
      ended: [],
    });
  });

  test('assigning changes nothing if the role is held with the same expiry', () => {
    expect(
      decideAssignment(accessWith({ editor: grant }), { role: editor, expiresAt: null, roleCreatedAt }, at),
    ).toBeUndefined();
  });

  test('assigning a redefined role is a change, even if the deleted role of the same name is held', () => {
    const roleDefined = '2026-06-01T00:00:00.000Z';
    const assignment = { role: editor, expiresAt: null, roleCreatedAt: roleDefined };
    expect(decideAssignment(accessWith({ editor: grant }), assignment, at)?.granted).toEqual({
      editor: { grantedAt: at.toISOString(), expiresAt: null },
    });
    const sameTime = { ...assignment, roleCreatedAt: grant.grantedAt };
    expect(decideAssignment(accessWith({ editor: grant }), sameTime, at)).toBeUndefined();
  });

  test('a slow clock does not date a grant before its role', () => {
    const change = decideAssignment(accessWith({}), { role: editor, expiresAt: null, roleCreatedAt: later }, at);
    expect(change?.granted).toEqual({ editor: { grantedAt: later, expiresAt: null } });
  });

  test('assigning sets a new expiry of a held role', () => {
    const change = decideAssignment(
      accessWith({ editor: grant }),
      { role: editor, expiresAt: later, roleCreatedAt },
      at,
    );
    expect(change).toMatchObject({ before: { granted: true, expiresAt: null }, after: { expiresAt: later } });
    const back = decideAssignment(
      accessWith({ editor: { ...grant, expiresAt: later } }),
      { role: editor, expiresAt: null, roleCreatedAt },
      at,
    );
    expect(back).toMatchObject({ before: { granted: true, expiresAt: later }, after: { expiresAt: null } });
  });

  test('assigns a role again after its grant has expired', () => {
    const change = decideAssignment(
      accessWith({ editor: ended }),
      { role: editor, expiresAt: null, roleCreatedAt },
      at,
    );
    expect(change).toMatchObject({ before: { granted: false, expiresAt: null }, after: { granted: true } });
  });

  test('assigning drops expired grants from the item', () => {
    const change = decideAssignment(
      accessWith({ viewer: ended }),
      { role: editor, expiresAt: null, roleCreatedAt },
      at,
    );
    expect(Object.keys(change?.next.roles ?? {})).toEqual(['editor']);
  });

  test('assigning ignores inherited properties', () => {
    const change = decideAssignment(
      accessWith({}),
      { role: 'constructor' as RoleName, expiresAt: null, roleCreatedAt },
      at,
    );
    expect(change?.before).toEqual({ granted: false, expiresAt: null });
  });

  test('refuses to assign one role more than the limit', () => {
    const full = Object.fromEntries(Array.from({ length: maxRolesPerAccess }, (_, n) => [`role${n}`, grant]));
    expect(() => decideAssignment(accessWith(full), { role: editor, expiresAt: null, roleCreatedAt }, at)).toThrow(
      invalidField('role', 'cannot be assigned: a user can hold at most 500 roles in an application'),
    );
    expect(
      decideAssignment(accessWith(full), { role: 'role7' as RoleName, expiresAt: later, roleCreatedAt }, at),
    ).toBeDefined();
  });
});

const manyEnded = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`ended${String(n).padStart(3, '0')}`, ended]));
const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `ended${String(from + n).padStart(3, '0')}`);

describe('expired grants', () => {
  test('expired grants are dropped from the item and from the member lists, 50 per change', () => {
    const assigned = decideAssignment(accessWith(manyEnded(52)), { role: editor, expiresAt: null, roleCreatedAt }, at);
    expect(assigned?.ended).toEqual(names(0, 50));
    expect(Object.keys(assigned?.next.roles ?? {})).toEqual([...names(50, 52), 'editor']);

    const revoked = decideRevocation(accessWith({ ...manyEnded(52), editor: grant }), { role: editor }, at);
    expect(revoked?.ended).toEqual(['editor', ...names(0, 50)]);
    expect(Object.keys(revoked?.next.roles ?? {})).toEqual(names(50, 52));
  });

  test('an expired grant that is assigned again stays listed under its role', () => {
    const change = decideAssignment(
      accessWith({ editor: ended }),
      { role: editor, expiresAt: later, roleCreatedAt },
      at,
    );
    expect(change?.ended).toEqual([]);
    expect(change?.granted).toEqual({ editor: { grantedAt: at.toISOString(), expiresAt: later } });
  });
});

describe('decideStatusChange', () => {
  const setting = { status: 'disabled', ...aSetting({ until: null, reason: 'left the team' }) } as const;

  test('setting a status changes nothing if the access already has it', () => {
    expect(decideStatusChange(accessWith({}), setting)).toBeUndefined();
  });

  test.each([
    { ...setting, status: 'enabled', reason: null },
    { ...setting, until: later },
    { ...setting, reason: 'on leave' },
  ] as const)('sets status, expiry and reason together, as in %o, and keeps the roles', (wanted) => {
    const current = accessWith({ viewer: grant });
    expect(decideStatusChange(current, wanted)).toEqual({
      action: 'access.changed',
      next: { ...current, ...wanted },
      before: { explicit: true, ...setting },
      after: { ...wanted, explicit: true },
      reason: wanted.reason,
    });
  });

  test('setting the default status makes it explicit, which is a change', () => {
    const untouched = { ...accessWith({}), status: null, reason: null };
    const change = decideStatusChange(untouched, { status: 'enabled', ...aSetting({}) });
    expect(change?.before).toEqual({ status: 'enabled', explicit: false, ...aSetting({}) });
    expect(change?.after).toEqual({ status: 'enabled', explicit: true, ...aSetting({}) });
  });
});

describe('decideRevocation', () => {
  test('revokes a held role', () => {
    const current = accessWith({ editor: { ...grant, expiresAt: later }, viewer: grant });
    expect(decideRevocation(current, { role: editor }, at)).toEqual({
      action: 'role.revoked',
      role: 'editor',
      next: { ...current, roles: { viewer: grant } },
      before: { granted: true, expiresAt: later },
      after: { granted: false, expiresAt: null },
      ended: ['editor'],
    });
  });

  test('revoking one grant of a role keeps a later one', () => {
    const current = accessWith({ editor: grant });
    expect(decideRevocation(current, { role: editor, grantedAt: '2025-01-01T00:00:00.000Z' }, at)).toBeUndefined();
    expect(decideRevocation(current, { role: editor, grantedAt: grant.grantedAt }, at)).toBeDefined();
  });

  test('revoking changes nothing if the role is not held or no longer held', () => {
    expect(decideRevocation(accessWith({}), { role: editor }, at)).toBeUndefined();
    expect(decideRevocation(accessWith({ editor: ended }), { role: editor }, at)).toBeUndefined();
    expect(decideRevocation(accessWith({}), { role: 'constructor' as RoleName }, at)).toBeUndefined();
  });
});
