import type { TransactEntry } from '#shared/table/client.ts';
import { deleteSearchEntries, putSearchEntries } from '#shared/table/items/search-item.ts';
import type { User } from '#shared/table/items/user-item.ts';
import { wordsIn } from './search-words.ts';

/**
 * The entries to write when a user's words change, none if they stay the same; empty new words delete all entries. They belong in
 * the transaction that writes the user, which requires that the words have not changed since the read.
 */
export function changeSearchEntries(
  { userId, words: before }: Pick<User, 'userId' | 'words'>,
  after: string,
): TransactEntry[] {
  if (after === before) return [];
  const words = wordsIn(after);
  const gone = wordsIn(before).filter((word) => !words.includes(word));
  return [
    ...gone.flatMap((word) => deleteSearchEntries({ userId, word })),
    ...words.flatMap((word) => putSearchEntries({ userId, word, words: after })),
  ];
}
