import type { ChangedAccess } from '#shared/contract/access.ts';
import type { AppId, RoleName } from '#shared/contract/fields.ts';
import type { AssignRoleBody } from '#shared/contract/grant.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { type RoleItem, reopenRoleEntry, roleItemOf } from '#shared/table/items/role-item.ts';
import { roleKey } from '#shared/table/keys/role-item-keys.ts';
import { type AccessCommand, type AccessRule, changeAccess } from '../access/change-access.ts';
import {
  type AccessChange,
  decideAssignment,
  decideRevocation,
  type Revocation,
} from '../access/decide-access-change.ts';
import type { RequestContext } from '../request/request-context.ts';
import { requireNotClosed } from '../request/settling.ts';
import { validateExpiry } from '../request/validate-expiry.ts';

/** Assigns a role of the application to the user; assigning it again with another expiry replaces the expiry. */
export async function assignRole(
  command: AccessCommand & { readonly grant: AssignRoleBody },
  context: RequestContext,
): Promise<ChangedAccess> {
  return changeAccess(command, context, assignmentRule(command.appId, command.grant));
}

export interface AssignmentLimits {
  /** Requires that the role was defined by then: a role of the same name defined later is another role. */
  readonly definedBefore?: string;
  /** Whether it follows the groups of a directory. Default: the caller assigns it. */
  readonly fromGroup?: boolean;
}

/** The rule that assigns a role. */
export function assignmentRule(
  appId: AppId,
  grant: AssignRoleBody,
  { definedBefore, fromGroup = false }: AssignmentLimits = {},
): AccessRule {
  return {
    extraKeys: [roleKey(appId, grant.role)],
    decide: ({ access, extraItems: [extraItem] }, at) => {
      validateExpiry('expiresAt', grant.expiresAt);
      const found = requireAssignable(grant.role, roleItemOf(extraItem), at);
      const { createdAt } = found.role;
      if (definedBefore !== undefined && createdAt > definedBefore) throw roleRedefined(grant.role);
      const change = decideAssignment(access, { ...grant, roleCreatedAt: createdAt, fromGroup }, at);
      return change && { ...change, ...reopeningOf(found) };
    },
  };
}

function requireAssignable(role: RoleName, found: RoleItem | undefined, at: Date): RoleItem {
  if (found === undefined || found.deleted) {
    throw new ServiceError('role_not_found', { detail: `The application has no role "${role}".` });
  }
  requireNotClosed('role', found.closedUntil, at);
  return found;
}

function reopeningOf({ role, closedUntil }: RoleItem): Pick<AccessChange, 'reopening'> {
  return closedUntil === undefined ? {} : { reopening: reopenRoleEntry(role, closedUntil) };
}

function roleRedefined(role: RoleName): ServiceError {
  return new ServiceError('role_not_found', {
    detail: `The role "${role}" was deleted since, and another role with this name was defined.`,
  });
}

/** Revokes a role; succeeds if the user does not hold it, or if it was never defined. */
export async function revokeRole(command: AccessCommand & Revocation, context: RequestContext): Promise<ChangedAccess> {
  return changeAccess(command, context, revocationRule(command));
}

/** The rule that revokes a role. */
export function revocationRule(revocation: Revocation): AccessRule {
  return { decide: ({ access }, at) => decideRevocation(access, revocation, at) };
}
