import type { AppId, RoleName } from '#shared/contract/fields.ts';
import { operator } from './start-service.ts';

/** Defines a role of `billing`. */
export async function newRole(role: string): Promise<string> {
  const { defineRole } = await import('#shared/domain/role/define-role.ts');
  await defineRole({ appId: 'billing' as AppId, role: role as RoleName, description: null }, operator);
  return role;
}
