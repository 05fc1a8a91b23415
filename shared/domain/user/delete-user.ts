import type { Deletion } from '#shared/contract/answers.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import type { ChainKey } from '#shared/integrity/change-mac.ts';
import { type Item, queryItems, type TransactEntry } from '#shared/table/client.ts';
import { deleteEntry } from '#shared/table/expression.ts';
import { eraseAccessEntries, grantedRolesOf, isBlockedOpenly } from '#shared/table/items/access-item.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import { uncountBlockEntry } from '#shared/table/items/counters-item.ts';
import { deleteInactiveMarkEntry } from '#shared/table/items/inactive-mark-item.ts';
import { deleteMemberEntry } from '#shared/table/items/role-item.ts';
import {
  eraseUserEntries,
  markUserEntries,
  readUserItem,
  requireMarkedUserEntry,
  type User,
} from '#shared/table/items/user-item.ts';
import type { Key } from '#shared/table/key.ts';
import { isErasure } from '#shared/table/keys/change-item-keys.ts';
import { userItemsRange, userKey } from '#shared/table/keys/user-item-keys.ts';
import { buildChange } from '../request/build-change.ts';
import { deleteInBatches } from '../request/delete-in-batches.ts';
import { monotonicTimestamp } from '../request/optimistic-locking.ts';
import { type Decision, performWrite } from '../request/perform-write.ts';
import type { RequestContext } from '../request/request-context.ts';
import { startDeletion } from '../request/settling.ts';
import { userParts } from '../request/user-parts.ts';
import { changeSearchEntries } from './search-entries.ts';

const pageSize = 100;

/** A user that is being erased; `createdAt` distinguishes it from a later user with the same id. */
type MarkedUser = Pick<User, 'userId' | 'createdAt'>;

/** The stored part of the answer: the user left to erase, `null` when there was none. */
type StoredDeletion = Pick<User, 'createdAt'> | null;

/**
 * Erases a user with all its items and its history; the erasure itself stays on record. First the user is marked, which
 * refuses writes immediately; then its items are deleted, its own item last, which leaves a temporary tombstone with the id
 * alone. Every step applies only to the marked user, so concurrent or repeated deletions never touch a user created later.
 */
export async function deleteUser({ userId }: { readonly userId: UserId }, context: RequestContext): Promise<Deletion> {
  const { hasTime } = startDeletion();
  const marked = await performWrite<MarkedUser | null, StoredDeletion>(context, {
    decide: (key) => decideMark(userId, context, key),
    toStored: (answer) => answer && { createdAt: answer.createdAt },
    fromStored: (stored) => stored && { userId, ...stored },
  });
  if (marked === null || context.dryRun === true) return { changed: marked !== null, complete: true };
  while (hasTime()) {
    const groups = await readNextGroups(marked);
    if (groups.length === 0) {
      await eraseMarked(marked);
      return { changed: true, complete: true };
    }
    // Another deletion has deleted some of them, or finished.
    const isDeleted = await deleteInBatches(groups, [requireMarkedUserEntry(marked)]);
    if (!isDeleted && !(await isMarked(marked))) return { changed: true, complete: true };
  }
  return { changed: true, complete: false };
}

async function isMarked({ userId, createdAt }: MarkedUser): Promise<boolean> {
  const found = await readUserItem(userId);
  return found?.deleting === true && found.user.createdAt === createdAt;
}

/**
 * Erases the user's own item together with its search entries, which are in other partitions, by the words that it has at
 * the mark, after which no entries are written.
 */
async function eraseMarked(marked: MarkedUser): Promise<void> {
  const found = await readUserItem(marked.userId);
  const entries = found?.deleting ? changeSearchEntries(found.user, '') : [];
  await deleteInBatches([[...entries, ...eraseUserEntries(marked, now().toISOString())]]);
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
    previous: user.chainHead,
  });
  const inactiveMark = user.status === 'inactive' ? [deleteInactiveMarkEntry(userId)] : [];
  return { answer, entries: [...markUserEntries(user, change), ...putChangeEntries(change), ...inactiveMark] };
}

/** The next items to delete; none when only the user's own item and the permanent ones are left, which sort last. */
async function readNextGroups({ userId }: MarkedUser): Promise<TransactEntry[][]> {
  const { items } = await queryItems(userItemsRange(userId), { limit: pageSize });
  return items
    .filter((item) => item.sk !== userKey(userId).sk && !isErasure(item))
    .map((item) => groupOf(userId, item));
}

/**
 * What an option keeps is deleted together with what it is found by, and an access with its role members and its application's
 * entry. A block without an end is subtracted from the counters of its application, because no change says that it is gone.
 */
function groupOf(userId: UserId, item: Item & Key): TransactEntry[] {
  const part = userParts.find(({ keyOf }) => keyOf(userId).sk === item.sk);
  if (part !== undefined) return part.eraseEntries(item);
  if (!item.sk.startsWith('ACCESS#')) return [deleteEntry(item)];
  const { appId, roles, status, until } = grantedRolesOf(item);
  const members = roles.map((role) => deleteMemberEntry(appId, role, userId));
  const counted = isBlockedOpenly({ status, until }) ? [uncountBlockEntry(appId)] : [];
  return [...members, ...counted, ...eraseAccessEntries({ userId, appId })];
}
