import { searchTextOf, wordsIn } from '#shared/domain/user/search-words.ts';
import type { Run } from '../run-seed.ts';
import { isLive, isSearchEntry, isUser, type StoredUser } from '../stored-state.ts';

/** Checks that each user is found by exactly the words of the current name, e-mail address and id. */
export function checkSearch({ items }: Run): string[] {
  const users = items.filter((item) => isUser(item) && isLive(item)) as unknown as StoredUser[];
  const expected = new Set(users.flatMap(linesOf));
  const stored = new Set(items.filter(isSearchEntry).map(({ pk, sk, words }) => `${pk} ${sk} of ${words}`));
  return [
    ...[...expected].filter((line) => !stored.has(line)).map((line) => `${line} is missing`),
    ...[...stored].filter((line) => !expected.has(line)).map((line) => `${line} is left`),
  ];
}

/** A word of one letter has no entry. */
function linesOf(user: StoredUser): string[] {
  const words = searchTextOf(user);
  return wordsIn(words)
    .filter((word) => word.length > 1)
    .map((word) => `FIND#${word.slice(0, 2)} ${word}#${user.userId} of ${words}`);
}
