import type { ChangedAccess } from '#shared/contract/access.ts';
import type { Changed } from '#shared/contract/answers.ts';
import type { IssuedKeyView } from '#shared/contract/api-key.ts';
import type { ApplicationView } from '#shared/contract/application.ts';
import type { Change } from '#shared/contract/change.ts';
import type { RoleView } from '#shared/contract/role.ts';
import type { UserView } from '#shared/contract/user.ts';
import { anAccess, storedChange } from '../support/stored-items.ts';

const times = { createdAt: '2026-11-20T19:14:11.123Z', updatedAt: '2026-11-20T19:14:11.123Z' };

export const app: Changed<ApplicationView> = {
  appId: 'billing',
  name: 'Billing',
  rolloutPercent: 100,
  requestsPerSecond: null,
  requireReason: null,
  reviewEveryDays: null,
  reviewedAt: null,
  reviewDueAt: null,
  version: 1,
  ...times,
  changed: true,
};
export const role: Changed<RoleView> = {
  appId: 'billing',
  role: 'editor',
  description: null,
  version: 1,
  ...times,
  changed: true,
};
export const user: Changed<UserView> = {
  userId: 'ada',
  status: 'active',
  displayName: 'Ada Lovelace',
  email: null,
  version: 1,
  ...times,
  changed: true,
};
export const key: Changed<IssuedKeyView> = {
  keyId: 'svk_k1_billing_01',
  label: null,
  scopes: ['access:read'],
  createdAt: times.createdAt,
  issuedBy: null,
  expiresAt: null,
  revokedAt: null,
  lastUsedOn: null,
  replaces: null,
  replacedBy: null,
  secret: 'svs_test',
  changed: true,
};
export const access: ChangedAccess = {
  ...anAccess({ status: 'disabled', explicit: true, reason: 'card stolen', effectiveStatus: 'disabled' }),
  decidedBy: 'explicit',
  roles: [{ name: 'editor', expiresAt: null }],
  version: 3,
  updatedAt: times.updatedAt,
  changed: true,
  changeId: '01KB3ZC4N7Z3QF4V6E5T8S9R2W',
};

export function change(id: string): Change {
  const sides = { before: { status: 'enabled', version: 1 }, after: { status: 'disabled', version: 2 } };
  return storedChange({ id, at: times.createdAt, ...sides });
}
