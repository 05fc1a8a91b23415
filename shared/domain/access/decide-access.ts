import type { Access, AccessStatus, DecidedBy } from '#shared/contract/access.ts';
import { hasPassed } from '#shared/core/clock.ts';
import { liveGrants, type StoredAccess } from '#shared/table/items/access-item.ts';
import type { User } from '#shared/table/items/user-item.ts';

/** What holds now for one user in one application. The only place that decides it; every path of the service asks here. */
export function decideAccess(user: User, access: StoredAccess, at: Date): Access {
  const { effectiveStatus, decidedBy } = decideStatus(user, access, at);
  return {
    userId: user.userId,
    appId: access.appId,
    status: access.status ?? 'enabled',
    explicit: access.status !== null,
    until: access.until,
    reason: access.reason,
    userStatus: user.status,
    effectiveStatus,
    decidedBy,
    roles: liveGrants(access, at).map(([name, { expiresAt }]) => ({ name, expiresAt })),
    version: access.version,
    updatedAt: access.updatedAt,
  };
}

function decideStatus(
  user: User,
  access: StoredAccess,
  at: Date,
): { effectiveStatus: AccessStatus; decidedBy: DecidedBy } {
  if (user.status === 'inactive') return { effectiveStatus: 'disabled', decidedBy: 'user' };
  if (access.status === null) return { effectiveStatus: 'enabled', decidedBy: 'default' };
  if (access.status === 'disabled' && hasPassed(access.until, at))
    return { effectiveStatus: 'enabled', decidedBy: 'lapsed' };
  return { effectiveStatus: access.status, decidedBy: 'explicit' };
}
