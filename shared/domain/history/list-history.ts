import type { Page } from '#shared/contract/answers.ts';
import type { Change } from '#shared/contract/change.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import { readExistingApplication } from '#shared/table/items/application-item.ts';
import { readableChangeOf } from '#shared/table/items/change-item.ts';
import { readExistingUser } from '#shared/table/items/user-item.ts';
import type { ChangeSpan, Range } from '#shared/table/key.ts';
import {
  applicationChangesRange,
  isErasure,
  userChangesForAllRange,
  userChangesRange,
} from '#shared/table/keys/change-item-keys.ts';
import { type MergedPage, readMergedPage } from '#shared/table/queries/read-merged.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { listPage } from '../request/list-page.ts';

interface ApplicationHistoryRequest extends PageRequest {
  readonly appId: AppId;
}

interface UserHistoryRequest extends PageRequest {
  readonly userId: UserId;
  /** Only the changes in this application. Default: all. */
  readonly appId?: AppId | undefined;
  /** Only changes in these applications, and changes of the user itself. Default: all. */
  readonly limitedTo?: readonly AppId[] | undefined;
}

/** The history of a user, newest first; does not include the erasure of an earlier user with the same id. */
export async function listUserChanges({
  userId,
  appId: wanted,
  limitedTo,
  ...page
}: UserHistoryRequest): Promise<Page<Change>> {
  await readExistingUser(userId);
  return listPage(userChangesRange(userId, wanted), { ...page, list: wanted }, (item) => {
    const change = isErasure(item) ? undefined : readableChangeOf(item);
    const { appId } = change ?? {};
    return appId === undefined || limitedTo === undefined || limitedTo.includes(appId as AppId) ? change : undefined;
  });
}

/** The history of an application and its users, newest first, including changes of users that concern every application. */
export async function listApplicationChanges(request: ApplicationHistoryRequest): Promise<Page<Change>> {
  const { items, cursor, more } = await readHistory(request, { descending: true });
  return { items, cursor: more ? (cursor ?? null) : null };
}

/** The same history forward, after a cursor or from the beginning; the returned cursor always continues. */
export async function listApplicationChangesAfter(request: ApplicationHistoryRequest): Promise<Page<Change>> {
  const { items, cursor } = await readHistory({ ...request, cursorName: 'after' }, { descending: false });
  return { items, cursor: cursor ?? null };
}

async function readHistory(
  { appId, ...page }: ApplicationHistoryRequest,
  span: ChangeSpan,
): Promise<MergedPage<Change>> {
  const { createdAt } = await readExistingApplication(appId);
  const created = lowestUlid(new Date(createdAt));
  return readMergedPage({
    ...page,
    bound: ['changes of', appId, span.descending],
    span,
    rangesIn: (within) => [applicationChangesRange(appId, within), ...userChangesSince(created, within)],
    viewsOf: async (items) => items.map(readableChangeOf),
    isFiltered: false,
  });
}

/** Empty if the whole range is earlier. */
function userChangesSince(id: string, { above = id, below, descending }: ChangeSpan): Range[] {
  const from = above > id ? above : id;
  return below !== undefined && below <= from ? [] : [userChangesForAllRange({ descending, above: from, below })];
}
