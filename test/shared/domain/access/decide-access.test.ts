import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AppId } from '#shared/contract/fields.ts';
import { decideAccess } from '#shared/domain/access/decide-access.ts';
import { accessOrDefault, type StoredAccess } from '#shared/table/items/access-item.ts';
import type { User } from '#shared/table/items/user-item.ts';
import { anAccess, storedUser } from '../../../support/stored-items.ts';

const at = new Date('2026-11-20T19:00:00.000Z');
const before = '2026-11-20T18:59:59.999Z';
const after = '2026-11-20T19:00:00.001Z';

const ada = storedUser();

const untouched = accessOrDefault(undefined, ada.userId, 'billing' as AppId);

interface Given {
  readonly user?: User;
  readonly access?: StoredAccess;
  readonly rolloutPercent?: number;
}

function decide({ user = ada, access = untouched, rolloutPercent = 100 }: Given) {
  return decideAccess({ application: { rolloutPercent }, user, access }, at);
}

const statuses = fc.constantFrom(null, 'enabled' as const, 'disabled' as const);
const untils = fc.constantFrom(null, before, after);
const percents = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);

describe('decideAccess', () => {
  test('an active user without settings is enabled', () => {
    expect(decide({})).toEqual(anAccess({}));
  });

  test.each([
    { status: 'disabled', until: null, effectiveStatus: 'disabled', decidedBy: 'explicit' },
    { status: 'disabled', until: after, effectiveStatus: 'disabled', decidedBy: 'explicit' },
    { status: 'disabled', until: at.toISOString(), effectiveStatus: 'enabled', decidedBy: 'lapsed' },
    { status: 'disabled', until: before, effectiveStatus: 'enabled', decidedBy: 'lapsed' },
    { status: 'enabled', until: null, effectiveStatus: 'enabled', decidedBy: 'explicit' },
    { status: 'enabled', until: before, effectiveStatus: 'enabled', decidedBy: 'explicit' },
  ] as const)('an access that is $status until $until is $effectiveStatus, decided by $decidedBy', (expected) => {
    const decided = decide({ access: { ...untouched, status: expected.status, until: expected.until } });
    expect(decided).toMatchObject({ ...expected, explicit: true });
  });

  test('an inactive user is disabled in every application, whatever its access says', () => {
    fc.assert(
      fc.property(statuses, untils, percents, (status, until, rolloutPercent) => {
        const decided = decide({
          user: { ...ada, status: 'inactive' },
          access: { ...untouched, status, until },
          rolloutPercent,
        });
        expect(decided).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'user', status: status ?? 'enabled' });
      }),
    );
  });

  // The bucket of ada in billing is 1,995: see examples/rollout-vectors.json.
  test.each([
    { rolloutPercent: 0, effectiveStatus: 'disabled', decidedBy: 'rollout' },
    { rolloutPercent: 19.95, effectiveStatus: 'disabled', decidedBy: 'rollout' },
    { rolloutPercent: 19.96, effectiveStatus: 'enabled', decidedBy: 'rollout' },
    { rolloutPercent: 99.99, effectiveStatus: 'enabled', decidedBy: 'rollout' },
    { rolloutPercent: 100, effectiveStatus: 'enabled', decidedBy: 'default' },
  ])('a user without an explicit status is $effectiveStatus at $rolloutPercent %, by $decidedBy', (expected) => {
    const { rolloutPercent, ...decision } = expected;
    const roles = { viewer: { grantedAt: before, expiresAt: null } };
    for (const access of [untouched, { ...untouched, roles, version: 3 }]) {
      const raw = { status: 'enabled', explicit: false, until: null };
      expect(decide({ access, rolloutPercent })).toMatchObject({ ...decision, ...raw });
    }
  });

  test('an explicit status decides regardless of the rollout, and so does an expired block', () => {
    fc.assert(
      fc.property(fc.constantFrom('enabled', 'disabled'), untils, percents, (status, until, rolloutPercent) => {
        const access = { ...untouched, status, until };
        expect(decide({ access, rolloutPercent })).toEqual(decide({ access }));
      }),
    );
  });

  test('an access lists the unexpired grants, by name', () => {
    const grantedAt = '2026-01-01T00:00:00.000Z';
    const roles = {
      viewer: { grantedAt, expiresAt: null },
      admin: { grantedAt, expiresAt: after },
      editor: { grantedAt, expiresAt: at.toISOString() },
    };
    expect(decide({ access: { ...untouched, roles } }).roles).toEqual([
      { name: 'admin', expiresAt: after },
      { name: 'viewer', expiresAt: null },
    ]);
  });
});
