import type { UserStatus } from '#shared/contract/access.ts';
import type { Page, UserView } from '#shared/contract/management.ts';
import { ranges } from '#shared/table/keys.ts';
import type { PageRequest } from '#shared/table/read-page.ts';
import { userOf } from '#shared/table/user.ts';
import { listPage } from './list-page.ts';
import { userView } from './user-view.ts';

export interface UserListRequest extends PageRequest {
  /** Only ids that begin so; empty is all. */
  readonly prefix: string;
  readonly status?: UserStatus | undefined;
}

/** Users by id. */
export async function listUsers({ prefix, status, ...page }: UserListRequest): Promise<Page<UserView>> {
  return listPage(ranges.users(prefix), { ...page, list: status }, (item) => {
    const user = userOf(item);
    return user === undefined || (status !== undefined && user.status !== status) ? undefined : userView(user);
  });
}
