import type { AccessStatus, DecidedBy } from '#shared/contract/access.ts';
import type { ApplicationUserView } from '#shared/contract/access-lists.ts';
import { pickFields } from '#shared/contract/field-forms.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import { now } from '#shared/core/clock.ts';
import type { StoredAccess } from '#shared/table/items/access-item.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import type { User } from '#shared/table/items/user-item.ts';
import { decideAccess } from './decide-access.ts';
import { readSetBy, type SettingSource } from './read-set-by.ts';

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
  const setBy = await readSetBy(found.flatMap(statusSources));
  return found.map(({ user, access }) => ({
    ...decideAccess({ application, user, access }, at),
    ...pickFields(userFields, user),
    statusSetBy: setBy(access.statusChangeId),
    userStatusSetBy: setBy(inactivationOf(user)),
  }));
}

/** The Changes of the status in the application and, of an inactive user, of the global one. */
export function statusSources({ user, access: { statusChangeId } }: AccessOfUser): SettingSource[] {
  const { userId } = user;
  return [statusChangeId, inactivationOf(user)].map((changeId) => ({ userId, changeId }));
}

/** The Change that made an inactive user inactive. */
export function inactivationOf({ status, statusChangeId }: User): string | null {
  return status === 'inactive' ? statusChangeId : null;
}
