import type { UserStatus } from '#shared/contract/access.ts';
import type { Changed, UserView } from '#shared/contract/management.ts';
import { changeUser, type UserCommand } from './change-user.ts';
import type { RequestContext } from './request-context.ts';

/** Sets the global status: an inactive user enters no application, whatever the accesses say. They stay as they are. */
export async function setUserStatus(
  command: UserCommand & { readonly status: UserStatus; readonly reason: string | null },
  context: RequestContext,
): Promise<Changed<UserView>> {
  const { status, reason } = command;
  return changeUser(command, context, (user) => {
    if (user.status === status) return undefined;
    return {
      action: 'user.status.changed',
      next: { status },
      before: { status: user.status },
      after: { status },
      reason,
    };
  });
}
