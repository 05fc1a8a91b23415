import type { AppId, RoleName } from '#shared/contract/ids.ts';
import { type Item, putNewEntry } from './client.ts';
import { type Key, roleKey } from './keys.ts';

export interface Role {
  readonly appId: AppId;
  readonly role: RoleName;
  readonly description: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The role of an item; one that was deleted is no longer there. */
export function roleOf(item: Item | undefined): Role | undefined {
  if (item === undefined || item.deleting === true) return undefined;
  return item as unknown as Role;
}

/** Defines the role, once. */
export function createRoleEntry(role: Role) {
  const item: Item & Key = { ...roleKey(role.appId, role.role), ...role };
  return putNewEntry(item);
}
