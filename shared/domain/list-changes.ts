import type { Change } from '#shared/contract/change.ts';
import type { AppId, UserId } from '#shared/contract/ids.ts';
import { changeSettlingSeconds } from '#shared/contract/limits.ts';
import type { Page } from '#shared/contract/management.ts';
import { serviceRoutes } from '#shared/contract/routes.ts';
import { now } from '#shared/core/clock.ts';
import { readApplication } from '#shared/table/application.ts';
import { changeOf } from '#shared/table/change-fields.ts';
import { type Range, ranges } from '#shared/table/keys.ts';
import { type PageRequest, readPage } from '#shared/table/read-page.ts';
import { readUserItem, userOf } from '#shared/table/user.ts';
import { authorizeCaller, requireScope } from './authorize-caller.ts';
import { listPage } from './list-page.ts';
import { noteKeyUse } from './note-key-use.ts';
import { presentApplication } from './present-application.ts';
import { presentUser } from './present-user.ts';
import type { RequestContext } from './request-context.ts';

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
  ...page
}: PageRequest & { readonly appId: AppId }): Promise<Page<Change>> {
  presentApplication(await readApplication(appId));
  return forward(ranges.applicationChanges(appId, { descending: false }), page);
}

/**
 * The same for the application itself, as far as it is settled: a change whose transaction took longer than that of a
 * later one is never passed by, because a cursor stands only where everything before it is visible.
 */
export async function listChanges(
  { appId, ...page }: Omit<PageRequest, 'cursorName'> & { readonly appId: AppId },
  context: RequestContext,
): Promise<Page<Change>> {
  const application = await readApplication(appId);
  const at = now();
  const authorized = authorizeCaller(context, application, at);
  await noteKeyUse(context);
  requireScope(authorized, serviceRoutes['list-changes'].scope);
  const settled = new Date(at.getTime() - changeSettlingSeconds * 1000);
  return forward(ranges.applicationChangesBefore(appId, settled), page);
}

/** The cursor leads on also where nothing follows yet. */
async function forward(range: Range, { cursor, limit }: PageRequest): Promise<Page<Change>> {
  const { items, position } = await readPage(range, { cursor, limit, cursorName: 'after' });
  return { items: items.map(changeOf), cursor: position ?? cursor ?? null };
}
