import type { RoleView } from '#shared/contract/management.ts';
import type { Role } from '#shared/table/role.ts';

/** What an operator sees of a role. */
export function roleView({ appId, role, description, version, createdAt, updatedAt }: Role): RoleView {
  return { appId, role, description, version, createdAt, updatedAt };
}
