import type { Page } from '#shared/contract/answers.ts';
import type { Change } from '#shared/contract/change.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { readExistingApplication } from '#shared/table/items/application-item.ts';
import { changeOf } from '#shared/table/items/change-item.ts';
import { readExistingUser } from '#shared/table/items/user-item.ts';
import { isErasure, type Range, ranges } from '#shared/table/keys.ts';
import { type PageRequest, readPage } from '#shared/table/queries/read-page.ts';
import { listPage } from '../request/list-page.ts';

interface ApplicationHistoryRequest extends PageRequest {
  readonly appId: AppId;
}

interface UserHistoryRequest extends PageRequest {
  readonly userId: UserId;
  /** Only the changes in these applications, and those of the user itself. Default: all. */
  readonly limitedTo?: readonly AppId[] | undefined;
}

/** The history of a user, newest first; that a user of the same id was erased before is not part of it. */
export async function listUserChanges({ userId, limitedTo, ...page }: UserHistoryRequest): Promise<Page<Change>> {
  await readExistingUser(userId);
  return listPage(ranges.userChanges(userId), page, (item) => {
    const change = isErasure(item) ? undefined : changeOf(item);
    const { appId } = change ?? {};
    return appId === undefined || limitedTo === undefined || limitedTo.includes(appId as AppId) ? change : undefined;
  });
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

/** The cursor leads on also where nothing follows yet. */
async function readForward(range: Range, { cursor, limit }: PageRequest): Promise<Page<Change>> {
  const { items, position } = await readPage(range, { cursor, limit, cursorName: 'after' });
  return { items: items.map(changeOf), cursor: position ?? cursor ?? null };
}
