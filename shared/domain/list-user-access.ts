import type { UserId } from '#shared/contract/ids.ts';
import type { Page, UserAccessView } from '#shared/contract/management.ts';
import { now } from '#shared/core/clock.ts';
import { accessOrUntouched } from '#shared/table/access.ts';
import { type Application, applicationOf } from '#shared/table/application.ts';
import { readItems } from '#shared/table/client.ts';
import { accessKey, ranges, userKey } from '#shared/table/keys.ts';
import type { PageRequest } from '#shared/table/read-page.ts';
import { userOf } from '#shared/table/user.ts';
import { decideAccess } from './decide-access.ts';
import { listPage } from './list-page.ts';
import { presentUser } from './present-user.ts';

/** Every application, by id, with what holds for the user in it; also where nobody ever set anything. */
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
  const [userItem, ...accesses] = await readEach([userKey(userId), ...keys]);
  const user = presentUser(userOf(userItem));
  const at = now();
  const view = ({ appId, name }: Application, item: (typeof accesses)[number]): UserAccessView => ({
    ...decideAccess(user, accessOrUntouched(item, userId, appId), at),
    appName: name,
  });
  return { items: applications.map((application, n) => view(application, accesses[n])), cursor };
}

/** A full page and the user are one key more than DynamoDB takes in one request. */
async function readEach(keys: Parameters<typeof readItems>[0]) {
  const [first, rest] = await Promise.all([readItems(keys.slice(0, 100)), readItems(keys.slice(100))]);
  return [...first, ...rest];
}
