import * as v from 'valibot';
import type { UserId } from '#shared/contract/fields.ts';
import type { Item, TransactEntry } from '../client.ts';
import { deleteEntry, putEntry } from '../expression.ts';
import { parseItem, storedId } from '../item-schema.ts';
import { searchEntryKey } from '../keys/search-item-keys.ts';

const searchEntrySchema = v.object({
  userId: storedId<UserId>(),
  /** The word of this entry. */
  word: v.string(),
  /** All words of the user, as in the user's item. */
  words: v.string(),
});

/** One word by which a user is found. */
export type SearchEntry = Readonly<v.InferOutput<typeof searchEntrySchema>>;

export function searchEntryOf(item: Item): SearchEntry {
  return parseItem(searchEntrySchema, item);
}

/** Lists a user under a word, unconditionally; no entry for a word that is too short to be searched for. */
export function putSearchEntries(entry: SearchEntry): TransactEntry[] {
  const key = searchEntryKey(entry.word, entry.userId);
  return key === undefined ? [] : [putEntry({ ...key, ...entry })];
}

/** Removes a user's entry under a word; a missing entry is not an error. */
export function deleteSearchEntries({ userId, word }: Pick<SearchEntry, 'userId' | 'word'>): TransactEntry[] {
  const key = searchEntryKey(word, userId);
  return key === undefined ? [] : [deleteEntry(key)];
}
