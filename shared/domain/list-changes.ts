import type { Change } from '#shared/contract/change.ts';
import type { AppId, UserId } from '#shared/contract/ids.ts';
import type { Page } from '#shared/contract/management.ts';
import { readApplication } from '#shared/table/application.ts';
import { changeOf } from '#shared/table/change.ts';
import { ranges } from '#shared/table/keys.ts';
import { type PageRequest, readPage } from '#shared/table/read-page.ts';
import { readUserItem, userOf } from '#shared/table/user.ts';
import { listPage } from './list-page.ts';
import { presentApplication } from './present-application.ts';
import { presentUser } from './present-user.ts';

/** The history of a user, newest first. */
export async function listUserChanges({
  userId,
  ...page
}: PageRequest & { readonly userId: UserId }): Promise<Page<Change>> {
  presentUser(userOf(await readUserItem(userId)));
  return listPage(ranges.userChanges(userId), page, changeOf);
}

/** The history of an application and of its users in it, newest first. */
export async function listApplicationChanges({
  appId,
  ...page
}: PageRequest & { readonly appId: AppId }): Promise<Page<Change>> {
  presentApplication(await readApplication(appId));
  return listPage(ranges.applicationChanges(appId, { descending: true }), page, changeOf);
}

/** The same history forward, from behind a cursor or, without one, from its beginning; the cursor always leads on. */
export async function listApplicationChangesAfter({
  appId,
  cursor,
  limit,
}: PageRequest & { readonly appId: AppId }): Promise<Page<Change>> {
  presentApplication(await readApplication(appId));
  const range = ranges.applicationChanges(appId, { descending: false });
  const { items, position } = await readPage(range, { cursor, limit, cursorName: 'after' });
  return { items: items.map(changeOf), cursor: position ?? cursor ?? null };
}
