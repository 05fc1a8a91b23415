import type { AssignRoleBody, ChangedAccess } from '#shared/contract/access.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { AccessCommand } from './access-change.ts';
import { changeAccess } from './change-access.ts';
import { decideAssignment } from './decide-role-change.ts';
import { refuseUnsoundEnd } from './refuse-unsound-end.ts';
import type { RequestContext } from './request-context.ts';

/** Gives a role of the application to the user; a role given again until another moment takes the new end. */
export async function assignRole(
  command: AccessCommand & { readonly grant: AssignRoleBody },
  context: RequestContext,
): Promise<ChangedAccess> {
  const { grant } = command;
  refuseUnsoundEnd('#/expiresAt', grant.expiresAt, context);
  return changeAccess(command, context, {
    scope: 'roles:write',
    definedRole: grant.role,
    decide: ({ access, role }, at) => {
      if (role === undefined) {
        throw new ServiceError('role_not_found', { detail: `The application has no role "${grant.role}".` });
      }
      return decideAssignment(access, grant, at);
    },
  });
}
