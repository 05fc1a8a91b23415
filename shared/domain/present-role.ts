import { ServiceError } from '#shared/core/errors.ts';
import { type Role, type RoleItem, roleOf } from '#shared/table/role.ts';

/** The role, or 404 `role_not_found`; one that was deleted is no longer there. */
export function presentRole(item: RoleItem | undefined): Role {
  const role = item && roleOf({ ...item });
  if (role !== undefined) return role;
  throw new ServiceError('role_not_found', { detail: 'The application has no role with this name.' });
}
