import type { UserId } from '#shared/contract/ids.ts';
import type { UserView } from '#shared/contract/management.ts';
import { readUserItem, userOf } from '#shared/table/user.ts';
import { presentUser } from './present-user.ts';
import { userView } from './user-view.ts';

/** One user, or 404. */
export async function getUser({ userId }: { readonly userId: UserId }): Promise<UserView> {
  return userView(presentUser(userOf(await readUserItem(userId))));
}
