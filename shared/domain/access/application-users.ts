import type { AccessStatus, DecidedBy } from '#shared/contract/access.ts';
import type { ApplicationUserView } from '#shared/contract/access-lists.ts';
import { pickFields, userFields } from '#shared/contract/resource-fields.ts';
import { now } from '#shared/core/clock.ts';
import type { StoredAccess } from '#shared/table/items/access-item.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import type { User } from '#shared/table/items/user-item.ts';
import { decideAccess } from './decide-access.ts';
import { readStatusSettings } from './status-settings.ts';

/** How the access of the users to list is decided. Default: in any way. */
export interface WantedAccess {
  readonly effectiveStatus?: AccessStatus | undefined;
  readonly decidedBy?: DecidedBy | undefined;
}

/** Whether a user's access is decided in the way that is asked for. */
export function isWantedAccess(
  { user, access }: AccessOfUser,
  application: Application,
  wanted: WantedAccess,
): boolean {
  const { effectiveStatus, decidedBy } = decideAccess({ application, user, access }, now());
  return (
    (wanted.effectiveStatus ?? effectiveStatus) === effectiveStatus && (wanted.decidedBy ?? decidedBy) === decidedBy
  );
}

/** A user with their access in one application. */
export interface AccessOfUser {
  readonly user: User;
  readonly access: StoredAccess;
}

/** Users of an application as operators see them: effective access, name, and who set it. One request per hundred users. */
export async function viewApplicationUsers(
  application: Application,
  found: readonly AccessOfUser[],
): Promise<ApplicationUserView[]> {
  const at = now();
  const isInactive = ({ status }: User) => status === 'inactive';
  const sources = found.flatMap(({ user, access }) => (isInactive(user) ? [access, user] : [access]));
  const settingOf = await readStatusSettings(sources);
  return found.map(({ user, access }) => ({
    ...decideAccess({ application, user, access }, at),
    ...pickFields(userFields, user),
    statusSetBy: settingOf(access),
    userStatusSetBy: isInactive(user) ? settingOf(user) : null,
  }));
}
