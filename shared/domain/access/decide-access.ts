import type { Access } from '#shared/contract/access.ts';
import { accessFields, pickFields } from '#shared/contract/resource-fields.ts';
import { liveGrants, type StoredAccess } from '#shared/table/items/access-item.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import type { User } from '#shared/table/items/user-item.ts';
import { decideStatus } from './decide-status.ts';

/** What a decision is made of; the access is that of the user in the application. */
export interface DecisionBasis {
  readonly application: Pick<Application, 'rolloutPercent'>;
  readonly user: User;
  readonly access: StoredAccess;
}

/** What holds now for one user in one application. The only place that decides it; every path of the service asks here. */
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
