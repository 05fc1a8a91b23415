import type { ChangedAccess } from '#shared/contract/access.ts';
import type { AppId, RoleName } from '#shared/contract/fields.ts';
import type { AssignRoleBody } from '#shared/contract/grant.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { type Role, type RoleItem, roleItemOf } from '#shared/table/items/role-item.ts';
import { roleKey } from '#shared/table/keys.ts';
import { type AccessCommand, type AccessRule, changeAccess } from '../access/change-access.ts';
import { decideAssignment, decideRevocation, type Revocation } from '../access/decide-access-change.ts';
import type { RequestContext } from '../request/request-context.ts';
import { requireNotClosed } from '../request/settling.ts';
import { validateExpiry } from '../request/validate-expiry.ts';

/** Assigns a role of the application to the user; a role assigned again with another end takes the new end. */
export async function assignRole(
  command: AccessCommand & { readonly grant: AssignRoleBody },
  context: RequestContext,
): Promise<ChangedAccess> {
  return changeAccess(command, context, assignmentRule(command.appId, command.grant));
}

export interface AssignmentLimits {
  /** Only a role that was defined by then: one of the same name that was defined later is another one. */
  readonly definedBefore?: string;
}

/** How a role is assigned. */
export function assignmentRule(
  appId: AppId,
  grant: AssignRoleBody,
  { definedBefore }: AssignmentLimits = {},
): AccessRule {
  return {
    also: roleKey(appId, grant.role),
    decide: ({ access, also }, at) => {
      validateExpiry('expiresAt', grant.expiresAt);
      const { createdAt } = requireAssignable(grant.role, roleItemOf(also), at);
      if (definedBefore !== undefined && createdAt > definedBefore) throw definedAnew(grant.role);
      return decideAssignment(access, { ...grant, roleCreatedAt: createdAt }, at);
    },
  };
}

function requireAssignable(role: RoleName, found: RoleItem | undefined, at: Date): Role {
  if (found === undefined || found.deleted) {
    throw new ServiceError('role_not_found', { detail: `The application has no role "${role}".` });
  }
  requireNotClosed('role', found.closedUntil, at);
  return found.role;
}

function definedAnew(role: RoleName): ServiceError {
  return new ServiceError('role_not_found', {
    detail: `The role "${role}" was deleted since, and another one of this name was defined.`,
  });
}

/** Revokes a role; one that the user does not hold, or that was never defined, is no error. */
export async function revokeRole(command: AccessCommand & Revocation, context: RequestContext): Promise<ChangedAccess> {
  return changeAccess(command, context, revocationRule(command));
}

/** How a role is revoked. */
export function revocationRule(revocation: Revocation): AccessRule {
  return { decide: ({ access }, at) => decideRevocation(access, revocation, at) };
}
