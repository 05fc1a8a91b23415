import type { RoleName, UserId } from '#shared/contract/ids.ts';
import type { Deletion } from '#shared/contract/management.ts';
import { now } from '#shared/core/clock.ts';
import { accessOf } from '#shared/table/access.ts';
import { putChangeEntry } from '#shared/table/change.ts';
import { type Item, queryItems, type TransactEntry, transact } from '#shared/table/client.ts';
import { deleteEntry } from '#shared/table/deletions.ts';
import { type Key, memberKey, ranges, userKey } from '#shared/table/keys.ts';
import {
  deleteMarkedUserEntry,
  markUserEntry,
  readUserItem,
  type User,
  userOf,
  userStillMarkedEntry,
} from '#shared/table/user.ts';
import { eraseGroups } from './erase-groups.ts';
import { erasingTime } from './erasing-time.ts';
import { laterMoment } from './later-moment.ts';
import { recordChange } from './record-change.ts';
import type { RequestContext } from './request-context.ts';
import { retryWhileMoving } from './retry-while-moving.ts';

const pageSize = 100;

/**
 * Erases a user with all its items, its history too. First the user is marked, which refuses its writes at once; then
 * its items go, and its own item last. Every step holds only for the user that was marked, so two erasers, or one that
 * comes again, never touch a user created later.
 */
export async function deleteUser({ userId }: { readonly userId: UserId }, context: RequestContext): Promise<Deletion> {
  const marked = await retryWhileMoving(() => mark(userId, context));
  if (marked === 'absent') return { changed: false, complete: true };
  const hasTime = erasingTime();
  while (hasTime()) {
    const groups = await nextGroups(marked);
    if (groups.length === 0) {
      await eraseGroups([[deleteMarkedUserEntry(marked)]]);
      return { changed: true, complete: true };
    }
    // A guard that fails says that another eraser has finished.
    if (!(await eraseGroups(groups, [userStillMarkedEntry(marked)]))) return { changed: true, complete: true };
  }
  return { changed: true, complete: false };
}

async function mark(userId: UserId, context: RequestContext): Promise<User | 'absent' | 'moved'> {
  const item = await readUserItem(userId);
  if (item === undefined) return 'absent';
  const user = userOf(item);
  if (user === undefined) return item;
  // It is erased with the rest, but the table's stream has carried it out by then.
  const record = recordChange(context, {
    action: 'user.deleted',
    at: laterMoment(now(), user.updatedAt),
    userId,
    before: { status: user.status, version: user.version },
    after: null,
    reason: null,
  });
  const outcome = await transact([markUserEntry(user), putChangeEntry(record)]);
  return outcome.kind === 'committed' ? user : 'moved';
}

/** The next items to erase, none when only the user's own is left. */
async function nextGroups({ userId }: User): Promise<TransactEntry[][]> {
  const { items } = await queryItems(ranges.userItems(userId), { limit: pageSize });
  return items.filter(({ sk }) => sk !== userKey(userId).sk).map((item) => groupOf(item as Item & Key));
}

/** An access takes the members with it that its grants made. */
function groupOf(item: Item & Key): TransactEntry[] {
  if (!item.sk.startsWith('ACCESS#')) return [deleteEntry(item)];
  const { appId, userId, roles } = accessOf(item);
  const members = Object.keys(roles).map((role) => deleteEntry(memberKey(appId, role as RoleName, userId)));
  return [...members, deleteEntry(item)];
}
