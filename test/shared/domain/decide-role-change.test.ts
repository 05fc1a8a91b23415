import { describe, expect, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/ids.ts';
import { maxRolesPerAccess } from '#shared/contract/limits.ts';
import { decideAssignment, decideRevocation } from '#shared/domain/decide-role-change.ts';
import type { Grant, StoredAccess } from '#shared/table/access.ts';

const at = new Date('2026-11-20T19:00:00.000Z');
const later = '2027-11-20T19:00:00.000Z';
const grant: Grant = { grantedAt: '2026-01-01T00:00:00.000Z', expiresAt: null };
const ended: Grant = { ...grant, expiresAt: '2026-11-20T18:00:00.000Z' };
const editor = 'editor' as RoleName;

function accessWith(roles: StoredAccess['roles']): StoredAccess {
  return {
    userId: 'ada' as UserId,
    appId: 'billing' as AppId,
    status: 'disabled',
    until: null,
    reason: 'left the team',
    roles,
    version: 4,
    updatedAt: '2026-11-01T00:00:00.000Z',
  };
}

describe('decideAssignment', () => {
  test('gives a role that is not held and leaves everything else as it is', () => {
    const current = accessWith({ viewer: grant });
    const change = decideAssignment(current, { role: editor, expiresAt: null }, at);
    expect(change?.next).toEqual({
      ...current,
      roles: { viewer: grant, editor: { grantedAt: at.toISOString(), expiresAt: null } },
    });
    expect(change).toMatchObject({ action: 'role.assigned', before: { granted: false }, after: { granted: true } });
  });

  test('changes nothing when the role is held until the same moment', () => {
    expect(decideAssignment(accessWith({ editor: grant }), { role: editor, expiresAt: null }, at)).toBeUndefined();
  });

  test('takes a new end for a role that is held', () => {
    const change = decideAssignment(accessWith({ editor: grant }), { role: editor, expiresAt: later }, at);
    expect(change).toMatchObject({ before: { granted: true, expiresAt: null }, after: { expiresAt: later } });
  });

  test('gives a role anew whose grant has ended', () => {
    const change = decideAssignment(accessWith({ editor: ended }), { role: editor, expiresAt: null }, at);
    expect(change).toMatchObject({ before: { granted: false, expiresAt: null }, after: { granted: true } });
  });

  test('drops grants that have ended from the item', () => {
    const change = decideAssignment(accessWith({ viewer: ended }), { role: editor, expiresAt: null }, at);
    expect(Object.keys(change?.next.roles ?? {})).toEqual(['editor']);
  });

  test('takes a role for a role and not for what every object inherits', () => {
    const change = decideAssignment(accessWith({}), { role: 'constructor' as RoleName, expiresAt: null }, at);
    expect(change?.before).toEqual({ granted: false, expiresAt: null });
  });

  test('refuses one role more than an access may hold', () => {
    const full = Object.fromEntries(Array.from({ length: maxRolesPerAccess }, (_, n) => [`role${n}`, grant]));
    expect(() => decideAssignment(accessWith(full), { role: editor, expiresAt: null }, at)).toThrow(
      'at most 500 roles',
    );
    expect(decideAssignment(accessWith(full), { role: 'role7' as RoleName, expiresAt: later }, at)).toBeDefined();
  });
});

describe('decideRevocation', () => {
  test('takes back a role that is held', () => {
    const change = decideRevocation(accessWith({ editor: grant, viewer: grant }), editor, at);
    expect(change?.next.roles).toEqual({ viewer: grant });
    expect(change).toMatchObject({ action: 'role.revoked', before: { granted: true }, after: { granted: false } });
  });

  test('changes nothing when the role is not held, or no longer', () => {
    expect(decideRevocation(accessWith({}), editor, at)).toBeUndefined();
    expect(decideRevocation(accessWith({ editor: ended }), editor, at)).toBeUndefined();
    expect(decideRevocation(accessWith({}), 'constructor' as RoleName, at)).toBeUndefined();
  });
});
