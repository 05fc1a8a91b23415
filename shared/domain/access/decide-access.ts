import type { Access } from '#shared/contract/access.ts';
import { accessFields } from '#shared/contract/access-fields.ts';
import { pickFields } from '#shared/contract/field-forms.ts';
import { fullRollout, isInRollout } from '#shared/contract/rollout.ts';
import { hasPassed } from '#shared/core/expiry.ts';
import { liveGrants, type StoredAccess } from '#shared/table/items/access-item.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import type { User } from '#shared/table/items/user-item.ts';

/** The facts of a decision; the access is that of the user in the application. */
export interface DecisionBasis {
  readonly application: Pick<Application, 'rolloutPercent'>;
  readonly user: User;
  readonly access: StoredAccess;
}

/** The effective access of one user in one application. The only place that decides it, for every path of the service. */
export function decideAccess(basis: DecisionBasis, at: Date): Access {
  const { user, access } = basis;
  const { effectiveStatus, decidedBy } = decideStatus(basis, at);
  return {
    userId: user.userId,
    appId: access.appId,
    status: access.status ?? 'enabled',
    explicit: access.status !== null,
    ...pickFields(accessFields, access),
    userStatus: user.status,
    effectiveStatus,
    decidedBy,
    roles: liveGrants(access, at).map(([name, { expiresAt }]) => ({ name, expiresAt })),
    version: access.version,
    updatedAt: access.updatedAt,
  };
}

/** Whether the user may enter, and which fact decides it. */
type StatusDecision = Pick<Access, 'effectiveStatus' | 'decidedBy'>;

function decideStatus({ application, user, access }: DecisionBasis, at: Date): StatusDecision {
  if (user.status === 'inactive') return { effectiveStatus: 'disabled', decidedBy: 'user' };
  if (access.status === null) return decideUnset(application, access);
  if (access.status === 'disabled' && hasPassed(access.until, at)) {
    return { effectiveStatus: 'enabled', decidedBy: 'lapsed' };
  }
  return { effectiveStatus: access.status, decidedBy: 'explicit' };
}

/** Without an explicit status the application's rollout decides; a full rollout admits everyone. */
function decideUnset(
  { rolloutPercent }: DecisionBasis['application'],
  { appId, userId }: StoredAccess,
): StatusDecision {
  if (rolloutPercent >= fullRollout) return { effectiveStatus: 'enabled', decidedBy: 'default' };
  const isAdmitted = isInRollout(appId, userId, rolloutPercent);
  return { effectiveStatus: isAdmitted ? 'enabled' : 'disabled', decidedBy: 'rollout' };
}
