import type { AppId } from '#shared/contract/ids.ts';
import type { Page, RoleView } from '#shared/contract/management.ts';
import { readApplication } from '#shared/table/application.ts';
import { ranges } from '#shared/table/keys.ts';
import type { PageRequest } from '#shared/table/read-page.ts';
import { roleOf } from '#shared/table/role.ts';
import { listPage } from './list-page.ts';
import { presentApplication } from './present-application.ts';
import { roleView } from './role-view.ts';

/** The roles of an application, by name. */
export async function listRoles({ appId, ...page }: PageRequest & { readonly appId: AppId }): Promise<Page<RoleView>> {
  presentApplication(await readApplication(appId));
  return listPage(ranges.roles(appId), page, (item) => {
    const role = roleOf(item);
    return role && roleView(role);
  });
}
