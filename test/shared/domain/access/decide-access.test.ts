import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { decideAccess } from '#shared/domain/access/decide-access.ts';
import type { StoredAccess } from '#shared/table/items/access-item.ts';
import type { User } from '#shared/table/items/user-item.ts';

const at = new Date('2026-11-20T19:00:00.000Z');
const before = '2026-11-20T18:59:59.999Z';
const after = '2026-11-20T19:00:00.001Z';

const ada: User = {
  userId: 'ada' as UserId,
  status: 'active',
  displayName: null,
  email: null,
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  lastChangeId: null,
  words: null,
};

const untouched: StoredAccess = {
  userId: ada.userId,
  appId: 'billing' as AppId,
  status: null,
  until: null,
  reason: null,
  roles: {},
  version: 0,
  updatedAt: null,
  userCreatedAt: null,
  lastChangeId: null,
};

describe('decideAccess', () => {
  test('an active user is enabled where nothing was ever set', () => {
    expect(decideAccess(ada, untouched, at)).toEqual({
      userId: 'ada',
      appId: 'billing',
      status: 'enabled',
      explicit: false,
      until: null,
      reason: null,
      userStatus: 'active',
      effectiveStatus: 'enabled',
      decidedBy: 'default',
      roles: [],
      version: 0,
      updatedAt: null,
    });
  });

  test.each([
    { status: 'disabled', until: null, effectiveStatus: 'disabled', decidedBy: 'explicit' },
    { status: 'disabled', until: after, effectiveStatus: 'disabled', decidedBy: 'explicit' },
    { status: 'disabled', until: at.toISOString(), effectiveStatus: 'enabled', decidedBy: 'lapsed' },
    { status: 'disabled', until: before, effectiveStatus: 'enabled', decidedBy: 'lapsed' },
    { status: 'enabled', until: null, effectiveStatus: 'enabled', decidedBy: 'explicit' },
    { status: 'enabled', until: before, effectiveStatus: 'enabled', decidedBy: 'explicit' },
  ] as const)('an access that is $status until $until is $effectiveStatus, decided by $decidedBy', (expected) => {
    const decided = decideAccess(ada, { ...untouched, status: expected.status, until: expected.until }, at);
    expect(decided).toMatchObject({ ...expected, explicit: true });
  });

  test('an inactive user is disabled in every application, whatever its access says', () => {
    const statuses = fc.constantFrom(null, 'enabled', 'disabled');
    const untils = fc.constantFrom(null, before, after);
    fc.assert(
      fc.property(statuses, untils, (status, until) => {
        const decided = decideAccess({ ...ada, status: 'inactive' }, { ...untouched, status, until }, at);
        expect(decided).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'user', status: status ?? 'enabled' });
      }),
    );
  });

  test('an access lists the grants that have not ended, by name', () => {
    const grantedAt = '2026-01-01T00:00:00.000Z';
    const roles = {
      viewer: { grantedAt, expiresAt: null },
      admin: { grantedAt, expiresAt: after },
      editor: { grantedAt, expiresAt: at.toISOString() },
    };
    expect(decideAccess(ada, { ...untouched, roles }, at).roles).toEqual([
      { name: 'admin', expiresAt: after },
      { name: 'viewer', expiresAt: null },
    ]);
  });
});
