import type { Changed, UserView } from '#shared/contract/management.ts';
import { changeUser, type UserCommand } from './change-user.ts';
import type { RequestContext } from './request-context.ts';

/** Changes what is known of a user; undefined stays, `null` takes away. */
export async function updateUser(
  command: UserCommand & {
    readonly displayName?: string | null | undefined;
    readonly email?: string | null | undefined;
  },
  context: RequestContext,
): Promise<Changed<UserView>> {
  return changeUser(command, context, (user) => {
    const { displayName = user.displayName, email = user.email } = command;
    if (displayName === user.displayName && email === user.email) return undefined;
    return {
      action: 'user.updated',
      next: { displayName, email },
      before: { displayName: user.displayName, email: user.email },
      after: { displayName, email },
      reason: null,
    };
  });
}
