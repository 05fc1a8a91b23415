import type { AppId, RoleName } from '#shared/contract/ids.ts';
import type { RoleView } from '#shared/contract/management.ts';
import { readRoleItem } from '#shared/table/role.ts';
import { presentApplication } from './present-application.ts';
import { presentRole } from './present-role.ts';
import { roleView } from './role-view.ts';

/** One role of an application, or 404. */
export async function getRole({ appId, role }: { readonly appId: AppId; readonly role: RoleName }): Promise<RoleView> {
  const { application, item } = await readRoleItem(appId, role);
  presentApplication(application);
  return roleView(presentRole(item));
}
