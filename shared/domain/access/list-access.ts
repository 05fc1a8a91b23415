import type { AccessStatus } from '#shared/contract/access.ts';
import type { ApplicationUserView, UserAccessView } from '#shared/contract/access-lists.ts';
import type { Page } from '#shared/contract/answers.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { readItems } from '#shared/table/client.ts';
import { accessOf, accessOrDefault, isDefaultAccess } from '#shared/table/items/access-item.ts';
import { readExistingApplication } from '#shared/table/items/application-item.ts';
import { readUsers, requireUser, userOf } from '#shared/table/items/user-item.ts';
import type { Range } from '#shared/table/key.ts';
import { accessKey, applicationUsersRange } from '#shared/table/keys/access-item-keys.ts';
import { userKey } from '#shared/table/keys/user-item-keys.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { readApplicationPage } from '../application/read-application-page.ts';
import { listPage } from '../request/list-page.ts';
import { viewApplicationUsers } from './application-users.ts';
import { decideAccess } from './decide-access.ts';
import { readSetBy } from './read-set-by.ts';

export interface ApplicationUsersRequest extends PageRequest {
  readonly appId: AppId;
  /** Only users with this status in the application. */
  readonly status?: AccessStatus | undefined;
}

/** The users of an application with an explicit status or a grant, ordered by id, with their effective access. */
export async function listApplicationUsers(request: ApplicationUsersRequest): Promise<Page<ApplicationUserView>> {
  const { appId, status, ...page } = request;
  const application = await readExistingApplication(appId);
  const at = now();
  const range = applicationUsersRange(appId, status && whereStatus(status));
  const { items: found, cursor } = await listPage(range, { ...page, list: status }, (item) => {
    const access = accessOf(item);
    return isDefaultAccess(access, at) ? undefined : access;
  });
  const users = await readUsers(found.map(({ userId }) => userId));
  const existing = found.flatMap((access) => {
    const user = users.get(access.userId);
    return user === undefined ? [] : [{ user, access }];
  });
  return { items: await viewApplicationUsers(application, existing), cursor };
}

/** An access without an explicit status counts as enabled. */
function whereStatus(status: AccessStatus): Range['where'] {
  return { attribute: 'status', value: 'disabled', not: status === 'enabled' };
}

export interface UserAccessRequest extends PageRequest {
  readonly userId: UserId;
  /** Only these applications. Default: all. */
  readonly limitedTo?: readonly AppId[] | undefined;
}

/** Every application, ordered by id, with the user's effective access, even where nothing was ever set. */
export async function listUserAccess({ userId, limitedTo, ...page }: UserAccessRequest): Promise<Page<UserAccessView>> {
  const request = { ...page, list: `access of ${userId}` };
  const { items: applications, cursor } = await readApplicationPage(request, limitedTo);
  const keys = applications.map(({ appId }) => accessKey(userId, appId));
  const [userItem, ...accesses] = await readItems([userKey(userId), ...keys]);
  const user = requireUser(userOf(userItem));
  const at = now();
  const read = applications.map((application, n) => {
    return { application, access: accessOrDefault(accesses[n], userId, application.appId) };
  });
  const setBy = await readSetBy(read.map(({ access }) => ({ userId, changeId: access.statusChangeId })));
  const view = ({ application, access }: (typeof read)[number]): UserAccessView => ({
    ...decideAccess({ application, user, access }, at),
    appName: application.name,
    rolloutPercent: application.rolloutPercent,
    requireReason: application.requireReason,
    statusSetBy: setBy(access.statusChangeId),
  });
  return { items: read.map(view), cursor };
}
