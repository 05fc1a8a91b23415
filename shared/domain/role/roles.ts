import type { Page } from '#shared/contract/answers.ts';
import { pickFields } from '#shared/contract/field-forms.ts';
import type { AppId, RoleName } from '#shared/contract/fields.ts';
import type { RoleView } from '#shared/contract/role.ts';
import { roleFields } from '#shared/contract/role-fields.ts';
import { readExistingApplication } from '#shared/table/items/application-item.ts';
import { readExistingRole, roleOf } from '#shared/table/items/role-item.ts';
import { rolesRange } from '#shared/table/keys/role-item-keys.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { listPage } from '../request/list-page.ts';

/** A role as operators see it. */
export function roleView(definition: RoleView): RoleView {
  const { appId, role, version, createdAt, updatedAt } = definition;
  return { appId, role, ...pickFields(roleFields, definition), version, createdAt, updatedAt };
}

interface RoleSubject {
  readonly appId: AppId;
  readonly role: RoleName;
}

/** One role of an application, or 404. */
export async function getRole({ appId, role }: RoleSubject): Promise<RoleView> {
  return roleView(await readExistingRole(appId, role));
}

/** The roles of an application, ordered by name. */
export async function listRoles({ appId, ...page }: PageRequest & { readonly appId: AppId }): Promise<Page<RoleView>> {
  await readExistingApplication(appId);
  return listPage(rolesRange(appId), page, (item) => {
    const role = roleOf(item);
    return role && roleView(role);
  });
}
