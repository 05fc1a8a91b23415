import type { Page } from '#shared/contract/answers.ts';
import type { ApplicationChange, Change } from '#shared/contract/change.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { changeSettlingSeconds } from '#shared/contract/time-bounds.ts';
import { now } from '#shared/core/clock.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import { readApplication, readExistingApplication } from '#shared/table/items/application-item.ts';
import { changeOf } from '#shared/table/items/change-item.ts';
import { readExistingUser } from '#shared/table/items/user-item.ts';
import { type Range, ranges } from '#shared/table/keys.ts';
import { type PageRequest, readPage } from '#shared/table/queries/read-page.ts';
import { authorizeCaller, recordKeyUsage, requireScope } from '../api-key/authorize-caller.ts';
import { listPage } from '../request/list-page.ts';
import type { RequestContext } from '../request/request-context.ts';
import { changeForApplication } from './change-for-application.ts';

interface ApplicationHistoryRequest extends PageRequest {
  readonly appId: AppId;
}

/** The history of a user, newest first. */
export async function listUserChanges({
  userId,
  ...page
}: PageRequest & { readonly userId: UserId }): Promise<Page<Change>> {
  await readExistingUser(userId);
  return listPage(ranges.userChanges(userId), page, changeOf);
}

/** The history of an application and of its users in it, newest first. */
export async function listApplicationChanges({ appId, ...page }: ApplicationHistoryRequest): Promise<Page<Change>> {
  await readExistingApplication(appId);
  return listPage(ranges.applicationChanges(appId, { descending: true }), page, changeOf);
}

/** The same history forward, from behind a cursor or, without one, from its beginning; the cursor always leads on. */
export async function listApplicationChangesAfter({
  appId,
  ...page
}: ApplicationHistoryRequest): Promise<Page<Change>> {
  await readExistingApplication(appId);
  return readForward(ranges.applicationChanges(appId, { descending: false }), page);
}

/**
 * The same for the application itself, as far as it is settled: a change whose transaction took longer than that of a
 * later one is never skipped, because a cursor is only given where everything before it is visible.
 */
export async function listChanges(
  { appId, ...page }: ApplicationHistoryRequest,
  context: RequestContext,
): Promise<Page<ApplicationChange>> {
  const application = await readApplication(appId);
  const at = now();
  const authorized = authorizeCaller(context, application, at);
  await recordKeyUsage(context);
  requireScope(authorized, context);
  const settled = new Date(at.getTime() - changeSettlingSeconds * 1000);
  const { items, cursor } = await readForward(ranges.applicationChangesBelow(appId, lowestUlid(settled)), page);
  return { items: items.map((change) => changeForApplication(change, appId)), cursor };
}

/** The cursor leads on also where nothing follows yet. */
async function readForward(range: Range, { cursor, limit }: PageRequest): Promise<Page<Change>> {
  const { items, position } = await readPage(range, { cursor, limit, cursorName: 'after' });
  return { items: items.map(changeOf), cursor: position ?? cursor ?? null };
}
