import type { AppId } from '#shared/contract/fields.ts';
import type { ManageOperation } from '#shared/contract/operation.ts';
import {
  type HeldRole,
  includesRole,
  limitOf,
  mayCall,
  type OperatorRole,
  strongestRole,
} from '#shared/contract/operator-role.ts';
import { roleRequired } from '#shared/core/operator-roles.ts';

/** The role and limits with which an operator performs an operation. */
export interface ActingRole {
  readonly role: OperatorRole;
  /** The only applications that the answer may cover; undefined for all. */
  readonly limitedTo: readonly AppId[] | undefined;
}

/** The role with which an operator may call an operation, or 403 `role_required`; decided by the record, before any read. */
export function requireRole(
  operation: ManageOperation,
  held: readonly HeldRole[],
  appId: string | undefined,
): ActingRole {
  const limitedTo = limitOf(held.filter(({ role }) => includesRole(role, operation.role)));
  const role = strongestRole(held, appId ?? null) ?? operation.role;
  if (mayCall(held, operation, appId)) return { role, limitedTo };
  throw roleRequired(operation.role, whereOf(operation, appId), held);
}

function whereOf({ path, forLimited }: ManageOperation, appId: string | undefined): string {
  if (path.includes('{appId}')) return `for the application ${appId}`;
  return forLimited === undefined ? 'for all applications' : '';
}
