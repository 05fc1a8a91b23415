import type { ChangedAccess } from '#shared/contract/access.ts';
import type { RoleName } from '#shared/contract/fields.ts';
import type { AssignRoleBody } from '#shared/contract/grant.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { roleOf } from '#shared/table/items/role-item.ts';
import { roleKey } from '#shared/table/keys.ts';
import { changeAccess } from '../access/change-access.ts';
import { decideAssignment, decideRevocation } from '../access/decide-access-change.ts';
import type { AccessCommand } from '../access/evaluate-change.ts';
import type { RequestContext } from '../request/request-context.ts';
import { validateExpiry } from '../request/validate-expiry.ts';

/** Assigns a role of the application to the user; a role assigned again with another end takes the new end. */
export async function assignRole(
  command: AccessCommand & { readonly grant: AssignRoleBody },
  context: RequestContext,
): Promise<ChangedAccess> {
  const { appId, grant } = command;
  validateExpiry('expiresAt', grant.expiresAt, context);
  return changeAccess(command, context, {
    also: roleKey(appId, grant.role),
    decide: ({ access, also }, at) => {
      if (roleOf(also) === undefined) {
        throw new ServiceError('role_not_found', { detail: `The application has no role "${grant.role}".` });
      }
      return decideAssignment(access, grant, at);
    },
  });
}

/** Revokes a role; one that the user does not hold, or that was never defined, is no error. */
export async function revokeRole(
  command: AccessCommand & { readonly role: RoleName },
  context: RequestContext,
): Promise<ChangedAccess> {
  return changeAccess(command, context, {
    decide: ({ access }, at) => decideRevocation(access, command.role, at),
  });
}
