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
import { ServiceError } from '#shared/core/errors.ts';

/** As what an operator performs an operation. */
export interface ActingRole {
  readonly role: OperatorRole;
  /** The only applications that the answer may concern; undefined for all. */
  readonly limitedTo: readonly AppId[] | undefined;
}

/** The role by which an operator may call an operation, or 403 `role_required`; by the record alone, before anything is read. */
export function requireRole(
  operation: ManageOperation,
  held: readonly HeldRole[],
  appId: string | undefined,
): ActingRole {
  const limitedTo = limitOf(held.filter(({ role }) => includesRole(role, operation.role)));
  const role = strongestRole(held, appId ?? null) ?? operation.role;
  if (mayCall(held, operation, appId)) return { role, limitedTo };
  throw new ServiceError('role_required', {
    detail: `This takes the operator role ${operation.role}${whereOf(operation, appId)}; you have ${namesOf(held)}.`,
    members: { requiredRole: operation.role },
  });
}

function whereOf({ path, forLimited }: ManageOperation, appId: string | undefined): string {
  if (path.includes('{appId}')) return ` for the application ${appId}`;
  return forLimited === undefined ? ' for all applications' : '';
}

function namesOf(held: readonly HeldRole[]): string {
  return held.map(({ role, appId }) => (appId === null ? role : `${role}:${appId}`)).join(', ');
}
