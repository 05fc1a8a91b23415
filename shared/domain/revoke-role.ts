import type { ChangedAccess } from '#shared/contract/access.ts';
import type { RoleName } from '#shared/contract/ids.ts';
import type { AccessCommand } from './access-change.ts';
import { changeAccess } from './change-access.ts';
import { decideRevocation } from './decide-role-change.ts';
import type { RequestContext } from './request-context.ts';

/** Takes a role back; one that the user does not hold, or that was never defined, is no error. */
export async function revokeRole(
  command: AccessCommand & { readonly role: RoleName },
  context: RequestContext,
): Promise<ChangedAccess> {
  return changeAccess(command, context, {
    scope: 'roles:write',
    decide: ({ access }, at) => decideRevocation(access, command.role, at),
  });
}
