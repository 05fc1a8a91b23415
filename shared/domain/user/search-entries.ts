import type { Reindexing } from '#shared/contract/answers.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { type Item, readItems, type TransactEntry, transact } from '#shared/table/client.ts';
import { setInactiveMarkEntry } from '#shared/table/items/inactive-mark-item.ts';
import { deleteSearchEntries, putSearchEntries } from '#shared/table/items/search-item.ts';
import { type User, updateWordsEntry, userOf } from '#shared/table/items/user-item.ts';
import { inactiveMarkKey, ranges, userKey } from '#shared/table/keys.ts';
import { type PageRequest, readPage } from '#shared/table/queries/read-page.ts';
import { mapConcurrently } from '../request/map-concurrently.ts';
import { retryOnConflict } from '../request/optimistic-locking.ts';
import { searchTextOf, wordsIn } from './search-words.ts';

/**
 * The entries to write when a user's words change; without words after, all that there are go. They belong in the
 * transaction that writes the user, whose condition is that the words are those that were read.
 */
export function changeSearchEntries({ userId, words: before }: Pick<User, 'userId' | 'words'>, after: string | null) {
  const words = wordsIn(after);
  const gone = wordsIn(before).filter((word) => !words.includes(word));
  const written = after === before ? [] : words;
  return [
    ...gone.flatMap((word) => deleteSearchEntries({ userId, word })),
    ...written.flatMap((word) => putSearchEntries({ userId, word, words: after ?? '' })),
  ] satisfies TransactEntry[];
}

/**
 * Writes the entries of a page of all users that have none, or of words that are made otherwise today, and the marks that
 * inactive users lack. What is there already stays, so a repetition changes nothing; neither does it change a user, who
 * keeps the version.
 */
export async function reindexUsers(request: PageRequest): Promise<Reindexing> {
  const { items, position, more } = await readPage(ranges.users(''), request);
  const users = items.map(userOf).filter((user) => user !== undefined);
  const marks = await readItems(users.map(({ userId }) => inactiveMarkKey(userId)));
  const outdated = users.filter((user, at) => user.words !== searchTextOf(user) || isMarkWrong(user, marks[at]));
  const written = await mapConcurrently(outdated, (user) => reindexUser(user.userId));
  return { checked: items.length, changed: written.filter(Boolean).length, cursor: more ? (position ?? null) : null };
}

/** False when nothing is to be written, because somebody else has, or the user is gone. */
function reindexUser(userId: UserId): Promise<boolean> {
  return retryOnConflict(async () => {
    const [item, mark] = await readItems([userKey(userId), inactiveMarkKey(userId)]);
    const user = userOf(item);
    if (user === undefined) return false;
    const words = searchTextOf(user);
    const marks = isMarkWrong(user, mark) ? [setInactiveMarkEntry(user)] : [];
    if (user.words === words && marks.length === 0) return false;
    const { kind } = await transact([updateWordsEntry(user, words), ...changeSearchEntries(user, words), ...marks]);
    return kind === 'committed' ? true : 'conflict';
  });
}

/** An inactive user has a mark, an active one none. */
function isMarkWrong({ status }: User, mark: Item | undefined): boolean {
  return (status === 'inactive') !== (mark !== undefined);
}
