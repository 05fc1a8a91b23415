import type { Deletion } from '#shared/contract/answers.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import type { ChainKey } from '#shared/integrity/change-mac.ts';
import { type Item, queryItems, type TransactEntry } from '#shared/table/client.ts';
import { deleteEntry } from '#shared/table/expression.ts';
import { deleteAccessEntries, grantedRolesOf } from '#shared/table/items/access-item.ts';
import { putChangeEntry } from '#shared/table/items/change-item.ts';
import { deleteHistoryEntry } from '#shared/table/items/history-item.ts';
import { deleteInactiveMarkEntry } from '#shared/table/items/inactive-mark-item.ts';
import { deleteMemberEntry } from '#shared/table/items/role-item.ts';
import {
  eraseUserEntry,
  markUserEntry,
  readUserItem,
  requireMarkedUserEntry,
  type User,
} from '#shared/table/items/user-item.ts';
import { isChangeKey, isErasure, type Key, ranges, userKey } from '#shared/table/keys.ts';
import { changeIdOf } from '#shared/table/queries/read-merged.ts';
import { buildChange } from '../request/build-change.ts';
import { deleteInBatches } from '../request/delete-in-batches.ts';
import { monotonicTimestamp } from '../request/optimistic-locking.ts';
import { type Decision, performWrite } from '../request/perform-write.ts';
import type { RequestContext } from '../request/request-context.ts';
import { startDeletion } from '../request/settling.ts';
import { changeSearchEntries } from './search-entries.ts';

const pageSize = 100;

/** A user that is being erased: created then, and no later one of the same id. */
type MarkedUser = Pick<User, 'userId' | 'createdAt'>;

/** What is stored of the answer: what is left to erase, nothing when there was no such user. */
type KeptDeletion = Pick<User, 'createdAt'> | null;

/**
 * Erases a user with all its items, its history too; that it was erased stays on record. First the user is marked, which refuses its writes at once; then
 * its items are deleted, its own item last, in whose place the id stays for a while without anything else. Every step
 * holds only for the user that was marked, so two deletions at the same time, or one that is repeated, never touch a user
 * created later.
 */
export async function deleteUser({ userId }: { readonly userId: UserId }, context: RequestContext): Promise<Deletion> {
  const { hasTime } = startDeletion();
  const marked = await performWrite<MarkedUser | null, KeptDeletion>(context, {
    decide: (key) => decideMark(userId, context, key),
    keep: (answer) => answer && { createdAt: answer.createdAt },
    restore: (kept) => kept && { userId, ...kept },
  });
  if (marked === null || context.dryRun === true) return { changed: marked !== null, complete: true };
  while (hasTime()) {
    const groups = await readNextGroups(marked);
    if (groups.length === 0) {
      await eraseMarked(marked);
      return { changed: true, complete: true };
    }
    // A guard that fails says that another deletion has finished.
    if (!(await deleteInBatches(groups, [requireMarkedUserEntry(marked)]))) return { changed: true, complete: true };
  }
  return { changed: true, complete: false };
}

/**
 * Erases the user's own item together with the entries of its words, which stand elsewhere: by the words that it has since
 * the mark, after which nobody writes any.
 */
async function eraseMarked(marked: MarkedUser): Promise<void> {
  const found = await readUserItem(marked.userId);
  const entries = found?.deleting ? changeSearchEntries(found.user, '') : [];
  await deleteInBatches([[...entries, eraseUserEntry(marked, now().toISOString())]]);
}

async function decideMark(
  userId: UserId,
  context: RequestContext,
  key: ChainKey,
): Promise<Decision<MarkedUser | null>> {
  const found = await readUserItem(userId);
  if (found === undefined) return { answer: null };
  const { user, deleting } = found;
  const { createdAt } = user;
  const answer = { userId, createdAt };
  if (deleting) return { answer };
  const change = buildChange(context, key, {
    action: 'user.deleted',
    at: monotonicTimestamp(user),
    userId,
    before: { status: user.status, version: user.version },
    after: null,
    reason: null,
    previous: user.chainHead,
  });
  const inactiveMark = user.status === 'inactive' ? [deleteInactiveMarkEntry(userId)] : [];
  return { answer, entries: [markUserEntry(user, change), putChangeEntry(change), ...inactiveMark] };
}

/** The next items to delete, none when only the user's own and what stays is left, which come last. */
async function readNextGroups({ userId }: MarkedUser): Promise<TransactEntry[][]> {
  const { items } = await queryItems(ranges.userItems(userId), { limit: pageSize });
  return items.filter((item) => item.sk !== userKey(userId).sk && !isErasure(item)).map(groupOf);
}

/** An access is deleted together with the members that its grants made and its application's entry, a Change with its entry in the history over all. */
function groupOf(item: Item & Key): TransactEntry[] {
  if (isChangeKey(item)) return [deleteHistoryEntry(changeIdOf(item)), deleteEntry(item)];
  if (!item.sk.startsWith('ACCESS#')) return [deleteEntry(item)];
  const { appId, userId, roles } = grantedRolesOf(item);
  const members = roles.map((role) => deleteMemberEntry(appId, role, userId));
  return [...members, ...deleteAccessEntries({ userId, appId })];
}
