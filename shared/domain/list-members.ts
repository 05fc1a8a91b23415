import type { AppId, RoleName } from '#shared/contract/ids.ts';
import type { MemberView, Page } from '#shared/contract/management.ts';
import { now } from '#shared/core/clock.ts';
import { ranges } from '#shared/table/keys.ts';
import { memberOf } from '#shared/table/member.ts';
import type { PageRequest } from '#shared/table/read-page.ts';
import { readRoleItem } from '#shared/table/role.ts';
import { hasPassed } from './decide-access.ts';
import { listPage } from './list-page.ts';
import { presentApplication } from './present-application.ts';
import { presentRole } from './present-role.ts';

/** The users who hold a role now, by id. */
export async function listMembers({
  appId,
  role,
  ...page
}: PageRequest & { readonly appId: AppId; readonly role: RoleName }): Promise<Page<MemberView>> {
  const { application, item } = await readRoleItem(appId, role);
  presentApplication(application);
  presentRole(item);
  const at = now();
  return listPage(ranges.members(appId, role), page, (found) => {
    const { userId, expiresAt } = memberOf(found);
    return hasPassed(expiresAt, at) ? undefined : { userId, expiresAt };
  });
}
