import { describe, expect, test } from '@jest/globals';
import { readTable } from '#shared/csv/read-csv.ts';
import { anAccess, anOperator } from '#test/support/stored-items.ts';
import type { ReviewedUser } from '../contract/access-review.ts';
import { createReviewFile } from '../review-table.ts';

const changeId = '01KB3ZC4N7Z3QF4V6E5T8S9R2W';
const at = '2026-11-20T19:14:11.123Z';
const edith = { ...anOperator, id: 'arn:aws:iam::111122223333:user/edith' };
const byOperator = { changeId, at, caller: edith, reason: 'left', ticket: 'HR-7', bulkId: null };
const caller = { kind: 'api-key', appId: 'billing', keyId: 'svk_k1_billing_01' } as const;
const byKey = { ...byOperator, at: '2026-11-21T08:00:00.000Z', caller, reason: null, ticket: null };

function reviewed(given: Partial<ReviewedUser>): ReviewedUser {
  const unset = { statusSetBy: null, userStatusSetBy: null, lastChange: byKey };
  return { ...anAccess({}), displayName: 'Ada King', email: 'ada@example.org', roles: [], ...unset, ...given };
}

const blocked = reviewed({
  explicit: true,
  status: 'disabled',
  effectiveStatus: 'disabled',
  decidedBy: 'explicit',
  statusSetBy: byOperator,
  until: '2027-01-31T12:00:00.000Z',
  roles: [
    { name: 'editor', expiresAt: '2027-06-30T22:00:00.000Z', grantedAt: byKey.at, grantedBy: byKey },
    { name: 'viewer', expiresAt: null, grantedAt: '2026-01-01T00:00:00.000Z', grantedBy: null },
  ],
});

function rowsOf(users: readonly ReviewedUser[], rolloutPercent = 100) {
  const app = { appId: 'billing', name: 'Billing', rolloutPercent };
  const { begin, add, end } = createReviewFile(app, at);
  return readTable(begin + add(users) + end).rows.map(({ values }) => {
    return Object.fromEntries([...values].filter(([, value]) => value !== ''));
  });
}

test('each status and each role of a user is a row with who gave it, since when and until when', () => {
  const same = {
    userName: 'Ada King',
    userId: 'ada',
    email: 'ada@example.org',
    access: 'Blocked',
    decidedBy: 'Setting',
    userStatus: 'Active',
    lastChange: '2026-11-21 08:00:00 UTC',
    lastChangeByName: 'Billing',
    lastChangeById: 'svk_k1_billing_01',
    appName: 'Billing',
    appId: 'billing',
    asOf: '2026-11-20 19:14:11 UTC',
  };
  expect(rowsOf([blocked]).slice(0, -1)).toEqual([
    {
      ...same,
      holds: 'Status',
      what: 'Blocked',
      since: '2026-11-20 19:14:11 UTC',
      ends: '2027-01-31 12:00:00 UTC',
      byName: 'user/edith',
      byId: edith.id,
      reason: 'left',
      ticket: 'HR-7',
      changeId,
    },
    {
      ...same,
      holds: 'Role',
      what: 'editor',
      since: '2026-11-21 08:00:00 UTC',
      ends: '2027-06-30 22:00:00 UTC',
      byName: 'Billing',
      byId: 'svk_k1_billing_01',
      changeId,
    },
    { ...same, holds: 'Role', what: 'viewer', since: '2026-01-01 00:00:00 UTC', byName: 'unknown' },
  ]);
});

test('a user with a role alone has no row for a status', () => {
  const roles = [{ name: 'viewer', expiresAt: null, grantedAt: at, grantedBy: byOperator }];
  expect(rowsOf([reviewed({ roles })]).map(({ holds }) => holds)).toEqual(['Role', undefined]);
});

describe('the last row says how all other users are decided', () => {
  test.each([
    [100, 'Allowed by default', 'Default'],
    [25, 'Allowed for 25% by the rollout', 'Rollout'],
    [0, 'Blocked by the rollout', 'Rollout'],
  ])('with a rollout of %i %%', (rolloutPercent, access, decidedBy) => {
    const app = { appName: 'Billing', appId: 'billing', asOf: '2026-11-20 19:14:11 UTC' };
    expect(rowsOf([], rolloutPercent)).toEqual([{ userName: 'All other users', access, decidedBy, ...app }]);
  });
});
