import type { Access, AccessStatus } from '#shared/contract/access.ts';
import type { AppId } from '#shared/contract/ids.ts';
import type { Page } from '#shared/contract/management.ts';
import { now } from '#shared/core/clock.ts';
import { accessOf } from '#shared/table/access.ts';
import { readApplication } from '#shared/table/application.ts';
import { ranges } from '#shared/table/keys.ts';
import type { PageRequest } from '#shared/table/read-page.ts';
import { readUsers } from '#shared/table/user.ts';
import { decideAccess, isUntouched } from './decide-access.ts';
import { listPage } from './list-page.ts';
import { presentApplication } from './present-application.ts';

export interface ApplicationUsersRequest extends PageRequest {
  readonly appId: AppId;
  /** Only those whose per-application status is this. */
  readonly status?: AccessStatus | undefined;
}

/** The users of an application with an explicit status or a grant, by status and id, with what holds for each. */
export async function listApplicationUsers(request: ApplicationUsersRequest): Promise<Page<Access>> {
  const { appId, status, ...page } = request;
  presentApplication(await readApplication(appId));
  const at = now();
  const { items: found, cursor } = await listPage(ranges.applicationUsers(appId, status), page, (item) => {
    const access = accessOf(item);
    return isUntouched(access, at) ? undefined : access;
  });
  const users = await readUsers(found.map(({ userId }) => userId));
  const items = found.flatMap((access) => {
    const user = users.get(access.userId);
    return user === undefined ? [] : [decideAccess(user, access, at)];
  });
  return { items, cursor };
}
