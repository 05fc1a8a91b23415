import type { Reindexing } from '#shared/contract/answers.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { type Item, readItems, type TransactEntry, transact } from '#shared/table/client.ts';
import { setInactiveMarkEntry } from '#shared/table/items/inactive-mark-item.ts';
import { deleteSearchEntries, putSearchEntries } from '#shared/table/items/search-item.ts';
import { readListedUsers, type User, updateWordsEntry, userOf } from '#shared/table/items/user-item.ts';
import { inactiveMarkKey, type Key, ranges, searchEntryKey, userKey } from '#shared/table/keys.ts';
import { type PageRequest, readPage } from '#shared/table/queries/read-page.ts';
import { mapConcurrently } from '../request/map-concurrently.ts';
import { retryOnConflict } from '../request/optimistic-locking.ts';
import { searchTextOf, wordsIn } from './search-words.ts';

/**
 * The entries to write when a user's words change; empty new words delete all entries. They belong in the
 * transaction that writes the user, which requires that the words have not changed since the read.
 */
export function changeSearchEntries(user: Pick<User, 'userId' | 'words'>, after: string): TransactEntry[] {
  return after === user.words ? [] : replaceSearchEntries(user, after);
}

function replaceSearchEntries({ userId, words: before }: Pick<User, 'userId' | 'words'>, after: string) {
  const words = wordsIn(after);
  const gone = wordsIn(before).filter((word) => !words.includes(word));
  return [
    ...gone.flatMap((word) => deleteSearchEntries({ userId, word })),
    ...words.flatMap((word) => putSearchEntries({ userId, word, words: after })),
  ] satisfies TransactEntry[];
}

/**
 * Repairs a page of users: writes missing or wrong search entries and inactive-user marks. They are written
 * in one transaction with their user, but neither a backup nor a Region's replica keeps transactions whole. Correct
 * entries stay, so repeating it writes nothing, and the users' versions do not change.
 */
export async function reindexUsers(request: PageRequest): Promise<Reindexing> {
  const { items, position, more } = await readPage(ranges.users(''), request);
  const users = (await readListedUsers(items)).filter((user) => user !== undefined);
  const keys = users.map(derivedKeys);
  const derived = await readItems(keys.flat());
  const wrong = users.filter((user, at) => !isWhole(user, derived.splice(0, keys[at]?.length)));
  const written = await mapConcurrently(wrong, ({ userId }) => reindexUser(userId));
  return { checked: items.length, changed: written.filter(Boolean).length, cursor: more ? (position ?? null) : null };
}

/** False when nothing was written, because the entries are already correct or the user is gone. */
function reindexUser(userId: UserId): Promise<boolean> {
  return retryOnConflict(async () => {
    const user = userOf((await readItems([userKey(userId)]))[0]);
    if (user === undefined || isWhole(user, await readItems(derivedKeys(user)))) return false;
    const words = searchTextOf(user);
    const entries = [updateWordsEntry(user, words), ...replaceSearchEntries(user, words), setInactiveMarkEntry(user)];
    return (await transact(entries)).kind === 'committed' ? true : 'conflict';
  });
}

/** The mark of an inactive user, then the search entries. */
function derivedKeys(user: User): Key[] {
  const words = wordsIn(searchTextOf(user));
  return [inactiveMarkKey(user.userId), ...words.flatMap((word) => searchEntryKey(word, user.userId) ?? [])];
}

/** An inactive user has a mark, an active one has none; each entry holds all words. */
function isWhole(user: User, [mark, ...entries]: readonly (Item | undefined)[]): boolean {
  const words = searchTextOf(user);
  const isMarked = mark !== undefined;
  return (
    user.words === words &&
    isMarked === (user.status === 'inactive') &&
    entries.every((entry) => entry?.words === words)
  );
}
