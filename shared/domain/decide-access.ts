import type { Access, AccessStatus, DecidedBy } from '#shared/contract/access.ts';
import type { Grant, StoredAccess } from '#shared/table/access.ts';
import type { User } from '#shared/table/user.ts';

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

/** The grants that have not ended, by name. */
export function liveGrants(access: StoredAccess, at: Date): [string, Grant][] {
  return Object.entries(access.roles)
    .filter(([, grant]) => !hasPassed(grant.expiresAt, at))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Whether an access says nothing: no explicit status, and no grant that holds. */
export function isUntouched(access: StoredAccess, at: Date): boolean {
  return access.status === null && liveGrants(access, at).length === 0;
}

/** Whether a moment lies behind; its very instant already does. `null` never does. */
export function hasPassed(moment: string | null, at: Date): boolean {
  return moment !== null && Date.parse(moment) <= at.getTime();
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
