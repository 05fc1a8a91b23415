import type { Access, AccessStatus } from '#shared/contract/access.ts';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import type { Page } from '#shared/contract/answers.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { readItems } from '#shared/table/client.ts';
import { accessOf, accessOrDefault, isDefaultAccess } from '#shared/table/items/access-item.ts';
import { type Application, applicationOf, readExistingApplication } from '#shared/table/items/application-item.ts';
import { readUsers, requireUser, userOf } from '#shared/table/items/user-item.ts';
import { accessKey, type Range, ranges, userKey } from '#shared/table/keys.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { listPage } from '../request/list-page.ts';
import { decideAccess } from './decide-access.ts';

export interface ApplicationUsersRequest extends PageRequest {
  readonly appId: AppId;
  /** Only those whose per-application status is this. */
  readonly status?: AccessStatus | undefined;
}

/** The users of an application with an explicit status or a grant, by id, with what holds for each. */
export async function listApplicationUsers(request: ApplicationUsersRequest): Promise<Page<Access>> {
  const { appId, status, ...page } = request;
  const application = await readExistingApplication(appId);
  const at = now();
  const range = ranges.applicationUsers(appId, status && whereStatus(status));
  const { items: found, cursor } = await listPage(range, { ...page, list: status }, (item) => {
    const access = accessOf(item);
    return isDefaultAccess(access, at) ? undefined : access;
  });
  const users = await readUsers(found.map(({ userId }) => userId));
  const items = found.flatMap((access) => {
    const user = users.get(access.userId);
    return user === undefined ? [] : [decideAccess({ application, user, access }, at)];
  });
  return { items, cursor };
}

/** An access without an explicit status counts as enabled. */
function whereStatus(status: AccessStatus): Range['where'] {
  return { attribute: 'status', value: 'disabled', not: status === 'enabled' };
}

/** Every application, by id, with what holds for the user in it; also where nothing was ever set. */
export async function listUserAccess({
  userId,
  ...page
}: PageRequest & { readonly userId: UserId }): Promise<Page<UserAccessView>> {
  const { items: applications, cursor } = await listPage(
    ranges.applications(),
    { ...page, list: `access of ${userId}` },
    applicationOf,
  );
  const keys = applications.map(({ appId }) => accessKey(userId, appId));
  const [userItem, ...accesses] = await readItems([userKey(userId), ...keys]);
  const user = requireUser(userOf(userItem));
  const at = now();
  const view = (application: Application, item: (typeof accesses)[number]): UserAccessView => ({
    ...decideAccess({ application, user, access: accessOrDefault(item, userId, application.appId) }, at),
    appName: application.name,
    rolloutPercent: application.rolloutPercent,
  });
  return { items: applications.map((application, n) => view(application, accesses[n])), cursor };
}
