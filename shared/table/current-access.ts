import type { AppId, RoleName, UserId } from '#shared/contract/ids.ts';
import { accessOrUntouched, type StoredAccess } from './access.ts';
import { type Application, applicationOf } from './application.ts';
import { readItems } from './client.ts';
import { accessKey, applicationKey, roleKey, userKey } from './keys.ts';
import { type Role, roleOf } from './role.ts';
import { type User, userOf } from './user.ts';

/** All that a decision about one user in one application needs. */
export interface CurrentAccess {
  readonly application: Application | undefined;
  readonly user: User | undefined;
  readonly access: StoredAccess;
  /** Only where a role was asked for. */
  readonly role: Role | undefined;
}

export interface AccessSubject {
  readonly userId: UserId;
  readonly appId: AppId;
  /** Read too, where the role's definition matters. */
  readonly definedRole?: RoleName | undefined;
  /** One that is known already, and not read again. */
  readonly application?: Application | undefined;
}

/** Reads it in one strongly consistent request. */
export async function readCurrentAccess(subject: AccessSubject): Promise<CurrentAccess> {
  const { userId, appId, definedRole, application: known } = subject;
  const keys = [userKey(userId), accessKey(userId, appId)];
  if (known === undefined) keys.unshift(applicationKey(appId));
  if (definedRole !== undefined) keys.push(roleKey(appId, definedRole));
  const items = await readItems(keys);
  const application = known ?? applicationOf(items.shift());
  const [user, access, role] = items;
  return {
    application,
    user: userOf(user),
    access: accessOrUntouched(access, userId, appId),
    role: roleOf(role),
  };
}
