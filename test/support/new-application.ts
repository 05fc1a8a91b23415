import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { fewAtOnce } from './few-at-once.ts';
import { operator } from './start-service.ts';

let created = 0;

/** Creates an application with these roles. */
export async function newApplication(roles: readonly string[] = [], appId = `app-${++created}`): Promise<string> {
  const { createApplication } = await import('#shared/domain/application/applications.ts');
  const { defineRole } = await import('#shared/domain/role/define-role.ts');
  await fewAtOnce(() => createApplication({ appId: appId as AppId, name: `Application ${appId}` }, operator));
  for (const role of roles) {
    await defineRole({ appId: appId as AppId, role: role as RoleName, description: null }, operator);
  }
  return appId;
}

/** Assigns a role of an application to a user. */
export async function grantRole(userId: string, appId: string, role: string, expiresAt: string | null = null) {
  const { assignRole } = await import('#shared/domain/role/grant-role.ts');
  const grant = { role: role as RoleName, expiresAt };
  return fewAtOnce(() => assignRole({ userId: userId as UserId, appId: appId as AppId, grant }, operator));
}

/** Sets the status of a user in an application. */
export async function setStatus(userId: string, appId: string, status: 'enabled' | 'disabled', reason = 'a reason') {
  const { setAccess } = await import('#shared/domain/access/set-status.ts');
  const setting = { status, reason, until: null };
  return fewAtOnce(() => setAccess({ userId: userId as UserId, appId: appId as AppId, setting }, operator));
}
